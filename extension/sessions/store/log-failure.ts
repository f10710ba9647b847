import * as l10n from '@vscode/l10n';
import { errorText } from '../../base/errors.ts';
import { errorCode } from '../../files/error-code.ts';

/** Why a conversation could not be saved. */
export type LogFailureCode = 'disk-full' | 'read-only' | 'forbidden' | 'missing' | 'unwritable-record' | 'other';

export interface LogFailure {
  readonly code: LogFailureCode;
  readonly path: string;
  /** The text for the user: what happened, what is kept, and what to do. */
  readonly text: string;
}

/** Whether the user can't write to the sessions folder, as in a container. A full disk doesn't count. */
export function isNoPlaceToWrite(error: unknown): boolean {
  return ['read-only', 'forbidden', 'missing'].includes(codeOf(error));
}

function codeOf(error: unknown): Exclude<LogFailureCode, 'unwritable-record'> {
  return CODE_OF[errorCode(error) ?? ''] ?? 'other';
}

export function logFailure(path: string, error: unknown): LogFailure {
  const code = codeOf(error);
  return { code, path, text: [happened(code, path, error), kept(), advice(code)].join(' ') };
}

/** For a record that can't be converted to JSON, which is the only failure that retrying doesn't solve. */
export function unwritableRecord(path: string, error: unknown): LogFailure {
  return {
    code: 'unwritable-record',
    path,
    text: l10n.t(
      'One step of this conversation could not be saved in {0} ({1}). Everything else is saved, and the conversation can continue. After a restart, this step will be missing.',
      path,
      reasonOf(error),
    ),
  };
}

const CODE_OF: Readonly<Record<string, Exclude<LogFailureCode, 'unwritable-record'>>> = {
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
  EFBIG: 'disk-full',
  EROFS: 'read-only',
  EACCES: 'forbidden',
  EPERM: 'forbidden',
  ENOENT: 'missing',
  ENOTDIR: 'missing',
  // A file has the name of the folder.
  EEXIST: 'missing',
};

const kept = (): string =>
  l10n.t(
    'The conversation continues, and new messages are kept in memory. They are written as soon as possible, and lost if Gantry exits before that.',
  );

function advice(code: Exclude<LogFailureCode, 'unwritable-record'>): string {
  switch (code) {
    case 'disk-full':
      return l10n.t('Free some space on that disk.');
    case 'read-only':
      return l10n.t('Make that disk writable again.');
    case 'forbidden':
      return l10n.t('Allow your user to write to that file and its folder.');
    case 'missing':
      return l10n.t('Check that the folder exists and that no file has its name.');
    case 'other':
      return l10n.t('Check the disk and its connection.');
  }
}

function happened(code: Exclude<LogFailureCode, 'unwritable-record'>, path: string, error: unknown): string {
  switch (code) {
    case 'disk-full':
      return l10n.t('There is no space left for {0}.', path);
    case 'read-only':
      return l10n.t('The disk of {0} is read-only.', path);
    case 'forbidden':
      return l10n.t('Writing to {0} is not allowed.', path);
    case 'missing':
      return l10n.t('The folder of {0} could not be created.', path);
    case 'other':
      return l10n.t('{0} could not be written: {1}.', path, reasonOf(error));
  }
}

/** Node's message, such as "EIO: i/o error, write", without the system call. It includes the code, to search for. */
function reasonOf(error: unknown): string {
  const code = errorCode(error);
  const text = errorText(error);
  if (code === undefined) return text;
  const [, words = text] = /^[A-Z0-9]+: (.+?)(?:, \w+.*)?$/s.exec(text) ?? [];
  return `${words} (${code})`;
}
