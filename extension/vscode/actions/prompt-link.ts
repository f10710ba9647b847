import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { guardPath } from '../../files/path-guard.ts';
import { looksSecret } from '../../policy/secret-files.ts';
import { fileFolders } from '../base/workspace.ts';
import { type Attachments, attachDetail } from '../context/attachments.ts';
import { fileAttachment, nameInSentence } from './action-context.ts';
import { parsePromptLink } from './prompt-uri.ts';

interface LinkTargets {
  readonly session: { returnText(text: string): void };
  readonly chat: { focus(): Promise<void> };
  readonly attachments: Pick<Attachments, 'add'>;
}

/** Opens a link into Gantry. Anybody can write a link, so it only fills the input: the user decides to send it. */
export async function openPromptLink(uri: vscode.Uri, { session, chat, attachments }: LinkTargets): Promise<void> {
  const link = parsePromptLink(uri);
  if (!link) {
    void vscode.window.showWarningMessage(l10n.t('Gantry was opened with an unknown link. Nothing was done.'));
    return;
  }
  const files = await workspaceFiles(link.files);
  const notes = [...link.notes, ...(files.length < link.files.length ? [notFound()] : [])];
  if (files.length > 0 && (await mayAttach(files))) {
    for (const file of files) attachments.add(fileAttachment(file));
  }
  if (link.prompt !== '') session.returnText(link.prompt);
  await chat.focus();
  const told = [l10n.t('This came from a link. Read it before you send it.'), ...notes].join(' ');
  void vscode.window.showInformationMessage(told);
}

const notFound = (): string =>
  l10n.t('Files outside this workspace, and files that may contain secrets, were ignored.');

async function workspaceFiles(names: readonly string[]): Promise<vscode.Uri[]> {
  const roots = fileFolders().map(({ uri }) => uri.fsPath);
  const found = await Promise.all([...new Set(names)].map((name) => guardPath(name, roots)));
  const allowed = found.filter((file) => file.allowed).filter(({ exists }) => exists);
  const shown = allowed.filter(({ path, editorPath }) => !looksSecret(path) && !looksSecret(editorPath));
  const uris = shown.map(({ editorPath }) => vscode.Uri.file(editorPath));
  const types = await Promise.all(uris.map((uri) => vscode.workspace.fs.stat(uri)));
  return uris.filter((_, index) => ((types[index]?.type ?? 0) & vscode.FileType.File) !== 0);
}

async function mayAttach(files: readonly vscode.Uri[]): Promise<boolean> {
  const attach = l10n.t('Attach');
  const detail = attachDetail(files.map((file) => nameInSentence(file)));
  const text = l10n.t('A link wants to attach files to your next message.');
  return (await vscode.window.showWarningMessage(text, { modal: true, detail }, attach)) === attach;
}
