import { readFile, writeFile } from 'node:fs/promises';
import { decodeText, encodeText } from '../../extension/files/text-codec.ts';
import type { FilePort, OpenDocument } from '../../extension/ports/workspace.ts';

/** Converts the text of a document to bytes, and back. */
export interface DocumentEncoding {
  decode(bytes: Uint8Array): string;
  encode(text: string): Uint8Array;
}

export const LATIN1: DocumentEncoding = {
  decode: (bytes) => Buffer.from(bytes).toString('latin1'),
  encode: (text) => Buffer.from(text, 'latin1'),
};

/** Files that are open in an editor, as in VS Code: with one kind of line ending, and saved through the document. */
export class OpenDocuments implements FilePort {
  private readonly documents = new Map<string, FakeDocument>();

  async open(path: string, known?: DocumentEncoding): Promise<FakeDocument> {
    const bytes = await readFile(path);
    const encoding = known ?? unicodeOf(bytes);
    const document = new FakeDocument(path, encoding, encoding.decode(bytes));
    this.documents.set(path, document);
    return document;
  }

  unsavedText(path: string): string | undefined {
    const document = this.documents.get(path);
    return document?.isDirty ? document.text : undefined;
  }

  openDocument(path: string): FakeDocument | undefined {
    return this.documents.get(path);
  }
}

export class FakeDocument implements OpenDocument {
  isDirty = false;
  /** A change that the editor makes when it saves a text. */
  onSave: (text: string) => string = (text) => text;
  canSave = true;
  text: string;

  constructor(
    private readonly path: string,
    private readonly encoding: DocumentEncoding,
    text: string,
  ) {
    this.text = text.includes('\r\n') ? text.replace(/\r?\n/g, '\r\n') : text;
  }

  type(text: string): void {
    this.text = text;
    this.isDirty = true;
  }

  encode(text: string): Promise<Uint8Array> {
    return Promise.resolve(this.encoding.encode(text));
  }

  async replace(expected: string, text: string): Promise<'saved' | 'stale' | 'not_saved'> {
    if (this.text !== expected) return 'stale';
    this.type(text);
    if (!this.canSave) return 'not_saved';
    this.text = this.onSave(text);
    await writeFile(this.path, this.encoding.encode(this.text));
    this.isDirty = false;
    return 'saved';
  }
}

function unicodeOf(bytes: Uint8Array): DocumentEncoding {
  const stored = decodeText(bytes);
  return { decode: (some) => decodeText(some).text, encode: (text) => encodeText({ ...stored, text }) };
}
