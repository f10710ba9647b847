import * as vscode from 'vscode';
import type { RuntimeLoader } from '../runtime-loader.ts';
import type { ReadAttached } from './attachments.ts';

/** What is attached by reference is read when the message is sent: what the user sees then is what the model gets. */
export function readAttached(runtime: RuntimeLoader): ReadAttached {
  return async (kind, uri, label) => {
    const { messageContext } = await runtime.load();
    if (kind === 'image' || kind === 'document') return messageContext.media(uri.fsPath, label);
    if (kind === 'folder') return messageContext.folder(uri.fsPath, label);
    if (uri.scheme === 'file') return messageContext.file(uri.fsPath, label);
    return (await vscode.workspace.openTextDocument(uri)).getText();
  };
}
