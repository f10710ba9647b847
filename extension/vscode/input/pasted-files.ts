import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Logger } from '../../ports/logger.ts';
import { fileNameOf } from './pasted.ts';

/** Long enough to withdraw a message. The contents of sent files are in the session. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/** Stores pasted images and documents as files, so that they survive a reload like other attachments. */
export class PastedFiles {
  private tidied = false;

  constructor(
    /** The folder for this workspace in VS Code's storage. */
    private readonly folder: vscode.Uri,
    private readonly log: Logger,
  ) {}

  async save(name: string, bytes: Uint8Array): Promise<vscode.Uri> {
    const uri = vscode.Uri.joinPath(this.folder, randomUUID(), fileNameOf(name));
    await vscode.workspace.fs.writeFile(uri, bytes);
    if (!this.tidied) this.tidy().catch((error: unknown) => this.log.warn(`Pasted files were not tidied: ${error}`));
    this.tidied = true;
    return uri;
  }

  private async tidy(): Promise<void> {
    for (const [name] of await vscode.workspace.fs.readDirectory(this.folder)) {
      const uri = vscode.Uri.joinPath(this.folder, name);
      const { mtime } = await vscode.workspace.fs.stat(uri);
      if (Date.now() - mtime > KEPT_MS) await vscode.workspace.fs.delete(uri, { recursive: true });
    }
  }
}
