import { FileFailure } from '../../files/file-failure.ts';
import { decodeExactly } from '../../files/text-codec.ts';
import type { TextChange } from '../../ports/tool.ts';
import type { FilePort, OpenDocument } from '../../ports/workspace.ts';
import { openDocumentOf, speaksForFile } from '../../tools/files/open-document.ts';
import type { DiskFiles } from './disk-files.ts';
import type { WritableFiles, WrittenBy } from './file-changes.ts';

/** The files as the user sees them: reads include the unsaved text of editors, and writes go through the editors. */
export class BufferedFiles implements WritableFiles {
  constructor(
    private readonly disk: DiskFiles,
    private readonly files: FilePort,
  ) {}

  async read(path: string): Promise<Uint8Array | undefined> {
    const document = await this.documentOf(path);
    return document?.isDirty ? document.encode(document.text) : this.disk.read(path);
  }

  async hasText(path: string, content: Uint8Array | undefined, text: string | null): Promise<boolean> {
    const document = await this.documentOf(path);
    if (document && (await speaksForFile(document, content))) return document.text === text;
    return this.disk.hasText(path, content, text);
  }

  async write(path: string, content: Uint8Array | undefined, change?: TextChange): Promise<WrittenBy> {
    const document = await this.documentOf(path);
    const isNew = !document && content !== undefined && change?.expected === null;
    if (isNew && (await this.files.create?.(path, change.text))) return 'editor';
    if (!document || content === undefined) return this.disk.write(path, content);
    if (change === undefined && !document.isDirty) return this.disk.write(path, content);
    if (change === undefined) return replaceIn(document, document.text, await textOf(content, document));
    // An editor that has not noticed a newer file yet reloads it by itself after the file is written.
    const isEditorsText = change.expected === document.text && (await speaksForFile(document, await this.read(path)));
    if (isEditorsText) return replaceIn(document, document.text, change.text);
    if (document.isDirty) throw new FileFailure('changed_meanwhile');
    return this.disk.write(path, content);
  }

  removeLeftovers(path: string): Promise<void> {
    return this.disk.removeLeftovers(path);
  }

  private async documentOf(path: string): Promise<OpenDocument | undefined> {
    return openDocumentOf(await this.disk.guarded(path), this.files);
  }
}

async function replaceIn(document: OpenDocument, expected: string, text: string): Promise<WrittenBy> {
  const outcome = await document.replace(expected, text);
  if (outcome === 'stale') throw new FileFailure('changed_meanwhile');
  if (outcome === 'not_saved') throw new FileFailure('not_saved');
  return 'editor';
}

/** The text of restored content, which was stored as bytes. */
async function textOf(content: Uint8Array, document: OpenDocument): Promise<string> {
  const text = decodeExactly(content)?.text;
  const isSame = text !== undefined && Buffer.compare(await document.encode(text), content) === 0;
  if (!isSame) throw new FileFailure('unsaved');
  return text;
}
