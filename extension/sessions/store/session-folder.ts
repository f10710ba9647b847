import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { SessionError } from './session-error.ts';

export const LOG_NAME = 'log.jsonl';
/** For the contents of files, by hash. */
export const BLOBS_NAME = 'blobs';
/** For outputs of tools, of which the model got a part. */
export const OUTPUTS_NAME = 'outputs';
export const TRASH_NAME = 'trash';

/** Names the store needs itself; Windows takes upper and lower case for the same. */
const RESERVED: ReadonlySet<string> = new Set([TRASH_NAME, 'index.json']);
/** Neither hidden nor a way out, and with no dot at the end, which Windows leaves off. */
const ID = /^[A-Za-z0-9_-](?:[A-Za-z0-9._-]{0,126}[A-Za-z0-9_-])?$/;

export function isSessionId(id: string): boolean {
  return ID.test(id) && !id.includes('..') && !RESERVED.has(id.toLowerCase());
}

/** Where a session is. An id can come from a link or an editor's state, so it never leads out of `root`. */
export function sessionFolder(root: string, id: string): string {
  if (isSessionId(id)) return join(root, id);
  throw new SessionError(
    'bad-id',
    l10n.t('{0} is not a session ID. An ID has letters, digits, dots, dashes and underscores.', JSON.stringify(id)),
  );
}
