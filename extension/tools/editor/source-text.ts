import type { AllowedPath } from '../../files/path-guard.ts';
import { openRegularFile, readUpTo } from '../../files/regular-file.ts';
import { decodeText, looksBinary } from '../../files/text-codec.ts';
import type { FilePort } from '../../ports/workspace.ts';
import { openDocumentOf } from '../files/open-document.ts';

/** Source code is far smaller. Larger files are generated, and language servers ignore them too. */
const MAX_SOURCE_BYTES = 5 * 1024 * 1024;

/** The text in the editor, or else on disk. Undefined if the file has no readable text. */
export async function readSource(file: AllowedPath, files: FilePort, signal: AbortSignal): Promise<string | undefined> {
  const document = await openDocumentOf(file, files);
  if (document !== undefined) return document.text;
  const opened = await openRegularFile(file.path);
  if (!opened.opened) return undefined;
  try {
    const bytes = await readUpTo(opened.handle, opened.size, MAX_SOURCE_BYTES, signal);
    return bytes === undefined || looksBinary(bytes) ? undefined : decodeText(bytes).text;
  } finally {
    await opened.handle.close();
  }
}

/** Splits lines as VS Code does: CRLF, LF and CR each end a line. */
export function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/);
}
