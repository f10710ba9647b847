import * as vscode from 'vscode';
import type { ExportFormat, SessionLibrary } from '../runtime/session-library.ts';
import { openExportedPage } from './links.ts';
import type { PanelSession } from './panel-session.ts';
import { withoutLinks } from './plain-words.ts';
import { type PanelFiles, replayPage } from './replay/replay-page.ts';
import type { RuntimeLoader } from './runtime-loader.ts';
import { fileFolders } from './vscode-host.ts';

const TITLE = 'Gantry: Export Session';

interface Format extends vscode.QuickPickItem {
  readonly format: ExportFormat | 'html';
  readonly extension: string;
}

const FORMATS: readonly Format[] = [
  { label: 'Markdown', detail: 'The conversation as you read it', format: 'markdown', extension: 'md' },
  {
    label: 'HTML',
    detail: 'One file that shows the conversation in any browser, without a network',
    format: 'html',
    extension: 'html',
  },
  { label: 'JSON', detail: 'Every record of the session, for programs', format: 'json', extension: 'json' },
];

/** What it takes to write the session shown. */
export interface ExportParts {
  readonly session: PanelSession;
  readonly runtime: RuntimeLoader;
  /** Where Gantry is installed. */
  readonly extension: vscode.Uri;
}

/** Writes the session shown into a file of the user's choice, without the secrets in it. */
export async function exportShown({ session, runtime, extension }: ExportParts): Promise<void> {
  const stored = await storedSession(session, runtime);
  if (!stored) return;
  const picked = await vscode.window.showQuickPick(FORMATS, { title: TITLE });
  if (!picked) return;
  const target = await vscode.window.showSaveDialog({
    title: TITLE,
    filters: { [picked.label]: [picked.extension] },
    ...suggestion(`${fileName(session.title)}.${picked.extension}`),
  });
  if (!target) return;
  const { id, library } = stored;
  const text =
    picked.format === 'html'
      ? await replayPage(await library.replay(id), filesOf(extension))
      : await library.export(id, picked.format);
  await vscode.workspace.fs.writeFile(target, Buffer.from(text));
  await offerToOpen(target, picked.format);
}

/** The session shown as Markdown, without the secrets in it. False when there is none. */
export async function copyShown(session: PanelSession, runtime: RuntimeLoader): Promise<boolean> {
  const stored = await storedSession(session, runtime);
  if (!stored) return false;
  await vscode.env.clipboard.writeText(await stored.library.export(stored.id, 'markdown'));
  return true;
}

async function storedSession(
  { id }: PanelSession,
  runtime: RuntimeLoader,
): Promise<{ readonly id: string; readonly library: SessionLibrary } | undefined> {
  const { library } = await runtime.load();
  if (id !== undefined && library) return { id, library };
  await vscode.window.showInformationMessage('There is no conversation to export yet.');
  return undefined;
}

function filesOf(extension: vscode.Uri): PanelFiles {
  const bytes = (name: string): Thenable<Uint8Array> =>
    vscode.workspace.fs.readFile(vscode.Uri.joinPath(extension, 'dist', 'webview', name));
  return { bytes: async (name) => bytes(name), text: async (name) => new TextDecoder().decode(await bytes(name)) };
}

function suggestion(name: string): { readonly defaultUri?: vscode.Uri } {
  const [folder] = fileFolders();
  return folder ? { defaultUri: vscode.Uri.joinPath(folder.uri, name) } : {};
}

async function offerToOpen(target: vscode.Uri, format: Format['format']): Promise<void> {
  const open = 'Open';
  const message = withoutLinks(`The session was exported to ${vscode.workspace.asRelativePath(target)}.`);
  if ((await vscode.window.showInformationMessage(message, open)) !== open) return;
  if (format === 'html') await openExportedPage(target);
  else await vscode.window.showTextDocument(target);
}

/** Of a title in any language: what file systems do not take is left out. */
export function fileName(title: string): string {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return ['gantry', ...words].join('-').slice(0, 60).replace(/-$/, '');
}
