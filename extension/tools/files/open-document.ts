import type { AllowedPath } from '../../files/path-guard.ts';
import type { FilePort, OpenDocument } from '../../ports/workspace.ts';

/** The file in the editor, if it is open. The editor may know it by the path that the user opened or by its real path. */
export async function openDocumentOf(
  { path, editorPath }: Pick<AllowedPath, 'path' | 'editorPath'>,
  files: FilePort,
): Promise<OpenDocument | undefined> {
  const document = await files.openDocument(editorPath);
  return document || editorPath === path ? document : files.openDocument(path);
}

/** The unsaved text of the file in the editor, if any. */
export async function unsavedTextOf(
  { path, editorPath }: Pick<AllowedPath, 'path' | 'editorPath'>,
  files: FilePort,
): Promise<string | undefined> {
  const text = await files.unsavedText(editorPath);
  return text !== undefined || editorPath === path ? text : files.unsavedText(path);
}

/**
 * Whether the editor's text is the file's current text. With unsaved changes, it always is. Otherwise, the editor may
 * not have noticed yet that the file was changed or removed. `onDisk` is undefined if there is no file.
 */
export async function speaksForFile(document: OpenDocument, onDisk: Uint8Array | undefined): Promise<boolean> {
  if (document.isDirty) return true;
  return onDisk !== undefined && sameButLineEnds(await document.encode(document.text), onDisk);
}

/** An editor shows a file with mixed line ends as if it had only one kind. */
function sameButLineEnds(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0 || bareBytes(left).equals(bareBytes(right));
}

/** The bytes without CR, and without the zeros around it in UTF-16 and UTF-32. */
function bareBytes(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.filter((byte) => byte !== 0x0d && byte !== 0));
}
