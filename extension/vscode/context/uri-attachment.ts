import * as vscode from 'vscode';
import type { Attachment } from '../../protocol/agent/attachment.ts';
import { placeOf } from '../editor/place.ts';
import type { NewAttachment } from './attachments.ts';

/** A file or folder as an attachment. It is read when the message is sent. */
export async function uriAttachment(uri: vscode.Uri): Promise<NewAttachment> {
  return { kind: (await isFolder(uri)) ? 'folder' : kindByName(uri.path), ...placeOf(uri), content: { uri } };
}

/** What is sent as it is, and not as text; its first bytes are looked at before. */
export function kindByName(path: string): Extract<Attachment['kind'], 'file' | 'image' | 'document'> {
  if (/\.(?:png|jpe?g|webp|heic|heif)$/i.test(path)) return 'image';
  return /\.pdf$/i.test(path) ? 'document' : 'file';
}

async function isFolder(uri: vscode.Uri): Promise<boolean> {
  if (uri.scheme === 'untitled') return false;
  const { type } = await vscode.workspace.fs.stat(uri);
  return (type & vscode.FileType.Directory) !== 0;
}
