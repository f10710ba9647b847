import * as vscode from 'vscode';
import { Disposable } from '../base/disposable.ts';

/** Without a BOM, VS Code would decode the text with the user's configured encoding. */
const BOM = '\uFEFF';

interface ProposalFile {
  readonly text: string;
  readonly changed: number;
}

/** Provides proposed texts as files that editors can open, change and save. */
export class ProposalFiles extends Disposable implements vscode.FileSystemProvider {
  private readonly events = this.register(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  private readonly files = new Map<string, ProposalFile>();
  private clock = 0;

  readonly onDidChangeFile = this.events.event;

  constructor(scheme: string) {
    super();
    this.register(vscode.workspace.registerFileSystemProvider(scheme, this, { isCaseSensitive: true }));
  }

  put(uri: vscode.Uri, text: string): void {
    const type = this.files.has(uri.toString()) ? vscode.FileChangeType.Changed : vscode.FileChangeType.Created;
    this.files.set(uri.toString(), { text, changed: ++this.clock });
    this.events.fire([{ type, uri }]);
  }

  textOf(uri: vscode.Uri): string | undefined {
    return this.files.get(uri.toString())?.text;
  }

  remove(uri: vscode.Uri): void {
    if (this.files.delete(uri.toString())) this.events.fire([{ type: vscode.FileChangeType.Deleted, uri }]);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const { text, changed } = this.require(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime: changed, size: Buffer.byteLength(BOM + text) };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return Buffer.from(BOM + this.require(uri).text);
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    this.require(uri);
    this.put(
      uri,
      Buffer.from(content)
        .toString()
        .replace(/^\uFEFF/, ''),
    );
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  private require(uri: vscode.Uri): ProposalFile {
    const file = this.files.get(uri.toString());
    if (!file) throw vscode.FileSystemError.FileNotFound(uri);
    return file;
  }
}
