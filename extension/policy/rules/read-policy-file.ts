import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { isMissing } from '../../files/error-code.ts';
import { FileFailure, failureReason } from '../../files/file-failure.ts';
import type { OpenTexts } from '../../files/read-beginning.ts';
import { openRegularFile, readUpTo } from '../../files/regular-file.ts';
import type { PolicyProblem } from './rule-set.ts';

export interface FoundPolicyFile {
  readonly path: string;
  readonly text: string;
}

export interface FoundPolicyFiles {
  readonly files: readonly FoundPolicyFile[];
  readonly problems: readonly PolicyProblem[];
}

/** Room for some thousand rules. No person writes a longer file. */
const MAX_FILE_BYTES = 1024 * 1024;

/**
 * Reads the `.toml` files of a folder, sorted by name. A missing folder has no files. A file that can't be read is as an
 * editor has it `open`.
 */
export async function readPolicyFolder(folder: string, open?: OpenTexts): Promise<FoundPolicyFiles> {
  try {
    const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => name.endsWith('.toml'));
    const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    const { files, problems } = await readAll(
      names.sort().map((name) => join(folder, name)),
      open,
    );
    const others = entries.filter((entry) => !entry.isFile());
    return { files, problems: [...problems, ...others.map((entry) => ignored(join(folder, entry.name), entry))] };
  } catch (error) {
    return isMissing(error) ? { files: [], problems: [] } : unreadable(folder, error);
  }
}

/** A link could lead anywhere, and reading a pipe could take forever. */
function ignored(file: string, entry: Dirent): PolicyProblem {
  const failure = entry.isSymbolicLink() ? 'link' : entry.isDirectory() ? 'folder' : 'not_regular';
  const reason = l10n.t('It is ignored: {0}.', failureReason(new FileFailure(failure)));
  return { kind: 'file_read', severity: 'error', file, reason };
}

/** Reads a file or folder that the user named. It must exist. */
export async function readPolicyPath(path: string, open?: OpenTexts): Promise<FoundPolicyFiles> {
  try {
    if ((await stat(path)).isDirectory()) return await readPolicyFolder(path, open);
    return path.endsWith('.toml')
      ? await readAll([path], open)
      : unreadable(path, l10n.t('its name does not end with .toml'));
  } catch (error) {
    return unreadable(path, isMissing(error) ? l10n.t('there is no such file or folder') : error);
  }
}

async function readAll(paths: readonly string[], open: OpenTexts | undefined): Promise<FoundPolicyFiles> {
  const found = await Promise.all(paths.map((path) => readOne(path, open?.textOf(path))));
  return { files: found.flatMap(({ files }) => files), problems: found.flatMap(({ problems }) => problems) };
}

/** A file that can't be read may have been repaired in an editor, and not been saved yet. */
async function readOne(path: string, openText: string | undefined): Promise<FoundPolicyFiles> {
  const read = await textOf(path).catch((failed: unknown) => ({ failed }));
  if (typeof read !== 'string' && openText === undefined) return unreadable(path, read.failed);
  return { files: [{ path, text: typeof read === 'string' ? read : (openText ?? '') }], problems: [] };
}

async function textOf(path: string): Promise<string | { readonly failed: unknown }> {
  const file = await openRegularFile(await realpath(path));
  if (!file.opened) return { failed: file.cause ?? new FileFailure(file.reason) };
  const bytes = await readUpTo(file.handle, file.size, MAX_FILE_BYTES).finally(() => file.handle.close());
  if (!bytes) return { failed: isTooLong() };
  // Keeps the byte order mark, so that the text represents the exact bytes.
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** Why nothing of a text would be in force. */
export function lengthProblem(file: string, text: string): PolicyProblem | undefined {
  if (text.length <= MAX_FILE_BYTES && Buffer.byteLength(text) <= MAX_FILE_BYTES) return undefined;
  return unreadable(file, isTooLong()).problems[0];
}

function isTooLong(): string {
  return l10n.t('it is longer than {0} MB', MAX_FILE_BYTES / (1024 * 1024));
}

function unreadable(file: string, cause: unknown): FoundPolicyFiles {
  const why = failureReason(cause);
  const problem: PolicyProblem = {
    kind: 'file_read',
    severity: 'error',
    file,
    reason: l10n.t('It could not be read: {0}.', why),
  };
  return { files: [], problems: [problem] };
}
