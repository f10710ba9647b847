import { errorCode } from '../../policy/error-code.ts';

/** Why a conversation could not be written down. */
export type LogFailureCode = 'disk-full' | 'read-only' | 'forbidden' | 'missing' | 'unwritable-record' | 'other';

export interface LogFailure {
  readonly code: LogFailureCode;
  readonly path: string;
  /** What happened, what is kept, what to do: as the user reads it. */
  readonly text: string;
}

export function logFailure(path: string, error: unknown): LogFailure {
  const code = CODE_OF[errorCode(error) ?? ''] ?? 'other';
  return { code, path, text: `${happened(code, path, error)} ${KEPT} ${ADVICE[code]}` };
}

/** A record that has no JSON form: the only thing that trying again does not help. */
export function unwritableRecord(path: string, error: unknown): LogFailure {
  return {
    code: 'unwritable-record',
    path,
    text: `One step of this conversation could not be saved in ${path} (${messageOf(error)}). Everything else is saved, and the conversation can go on. After a restart this step will be missing.`,
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

const KEPT =
  'The conversation goes on and what is new is kept in memory; it is written as soon as that works, and lost if Gantry is closed before that.';

const ADVICE: Readonly<Record<Exclude<LogFailureCode, 'unwritable-record'>, string>> = {
  'disk-full': 'Free some space on that disk.',
  'read-only': 'Make that disk writable again.',
  forbidden: 'Allow your user to write to that file and its folder.',
  missing: 'Check that the folder is there and that nothing else has its name.',
  other: 'Check the disk and its connection.',
};

function happened(code: Exclude<LogFailureCode, 'unwritable-record'>, path: string, error: unknown): string {
  switch (code) {
    case 'disk-full':
      return `There is no space left for ${path}.`;
    case 'read-only':
      return `The disk of ${path} is read-only.`;
    case 'forbidden':
      return `Writing to ${path} is not allowed.`;
    case 'missing':
      return `The folder of ${path} cannot be made.`;
    case 'other':
      return `${path} could not be written (${messageOf(error)}).`;
  }
}

function messageOf(error: unknown): string {
  return errorCode(error) ?? (error instanceof Error ? error.message : String(error));
}
