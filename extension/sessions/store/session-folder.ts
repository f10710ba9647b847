import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { SessionError } from './session-error.ts';

export const LOG_NAME = 'log.jsonl';
/** The folder for contents of files, by hash. */
export const BLOBS_NAME = 'blobs';
/** The folder for tool outputs that the model received only in part. */
export const OUTPUTS_NAME = 'outputs';
export const TRASH_NAME = 'trash';

/** Names that the store itself uses. They are compared in lower case, because Windows ignores case. */
const RESERVED: ReadonlySet<string> = new Set([TRASH_NAME, 'index.json']);
/** Not hidden, no path, and no dot at the end, which Windows removes. */
const ID = /^[A-Za-z0-9_-](?:[A-Za-z0-9._-]{0,126}[A-Za-z0-9_-])?$/;

export function isSessionId(id: string): boolean {
  return ID.test(id) && !id.includes('..') && !RESERVED.has(id.toLowerCase());
}

/** The folder of a session. An id can come from a link or an editor's state, so it must not lead out of `root`. */
export function sessionFolder(root: string, id: string): string {
  if (isSessionId(id)) return join(root, id);
  throw new SessionError(
    'bad-id',
    l10n.t('{0} is not a session ID. An ID has letters, digits, dots, dashes and underscores.', JSON.stringify(id)),
  );
}
