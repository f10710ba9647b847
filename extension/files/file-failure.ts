import { errorText } from '../base/errors.ts';
import { errorCode } from './error-code.ts';
import type { PathRefusal } from './path-guard.ts';
import type { BeginningFailure } from './read-beginning.ts';

export type FileFailureKind = PathRefusal | BeginningFailure | 'link' | 'not_saved' | 'unsaved';

/** A file could not be read or written, for a reason that was known before the file was touched. */
export class FileFailure extends Error {
  constructor(
    readonly kind: FileFailureKind,
    cause?: unknown,
  ) {
    super(TEXTS[kind], { cause });
    this.name = 'FileFailure';
  }
}

/** The same text as part of a sentence. */
export function failureReason(error: unknown): string {
  const text = failureText(error);
  return `${text.charAt(0).toLowerCase()}${text.slice(1).replace(/\.$/, '')}`;
}

/** For messages that do not name the file otherwise. */
export function namedFailure(error: unknown): string {
  const path = error instanceof Error && 'path' in error ? error.path : undefined;
  const isKnown = TEXTS_OF_CODES[errorCode(error) ?? ''] !== undefined;
  return isKnown && typeof path === 'string' ? `${path}: ${failureReason(error)}.` : failureText(error);
}

/** A text for the user, shown below the name of the file. */
export function failureText(error: unknown): string {
  if (error instanceof FileFailure) return TEXTS[error.kind];
  const known = TEXTS_OF_CODES[errorCode(error) ?? ''];
  return known ?? errorText(error);
}

const TEXTS: Readonly<Record<FileFailureKind, string>> = {
  malformed: 'It is not an ordinary file path.',
  no_workspace: 'No folder is open.',
  outside_workspace: 'It leads outside the open folders.',
  unverifiable: 'Where it leads could not be checked.',
  no_permission: 'Permission denied.',
  missing: 'There is no such file.',
  folder: 'There is a folder in its place.',
  not_regular: 'It is not a regular file.',
  binary: 'It is not a text.',
  refused: 'It leads to a file outside its folder.',
  link: 'There is a link in its place.',
  changed_meanwhile: 'It was changed by somebody else at the same moment.',
  not_saved: 'The editor has the new text but could not save it.',
  unsaved: 'It has unsaved changes in the editor.',
  failed: 'It could not be opened.',
};

const TEXTS_OF_CODES: Readonly<Record<string, string>> = {
  EACCES: TEXTS.no_permission,
  EPERM: TEXTS.no_permission,
  EISDIR: TEXTS.folder,
  ENOENT: TEXTS.missing,
  ENOTDIR: 'A file is in the place of its folder.',
  EEXIST: 'A file is in the place of its folder.',
  ENOSPC: 'The disk is full.',
  EDQUOT: 'The disk quota is used up.',
  EROFS: 'The disk is read-only.',
  EBUSY: 'Another program is using it.',
};
