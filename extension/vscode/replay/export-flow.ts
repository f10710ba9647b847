import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ExportFormat, SessionLibrary } from '../../runtime/library/session-library.ts';
import { withoutLinks } from '../base/escape-ui-text.ts';
import { fileFolders } from '../base/workspace.ts';
import { pageLanguage } from '../page/chat-html.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import type { PanelSession } from '../session/panel-session.ts';
import { openExportedPage } from './links.ts';
import { type PanelFiles, replayPage } from './replay-page.ts';

interface Format extends vscode.QuickPickItem {
  readonly format: ExportFormat | 'html';
  readonly extension: string;
}

const formats = (): readonly Format[] => [
  { label: 'Markdown', detail: l10n.t('The conversation as text'), format: 'markdown', extension: 'md' },
  {
    label: 'HTML',
    detail: l10n.t('One file that shows the conversation in any browser, offline'),
    format: 'html',
    extension: 'html',
  },
  { label: 'JSON', detail: l10n.t('Every record of the session, for programs'), format: 'json', extension: 'json' },
];

/** The dependencies of an export. */
export interface ExportParts {
  readonly runtime: RuntimeLoader;
  /** The folder where Gantry is installed. */
  readonly extension: vscode.Uri;
}

/** Exports the session shown to a file that the user chooses, without its secrets. */
export async function exportShown({ id, title }: PanelSession, parts: ExportParts): Promise<void> {
  if (id === undefined) await reportNothing();
  else await exportSession(id, title, parts);
}

/** Exports any session to a file that the user chooses, without its secrets. */
export async function exportSession(
  id: string,
  sessionTitle: string,
  { runtime, extension }: ExportParts,
): Promise<void> {
  const library = await libraryOf(runtime);
  if (!library) return;
  const title = l10n.t('Gantry: Export Session');
  const picked = await vscode.window.showQuickPick(formats(), {
    title,
    placeHolder: l10n.t('Choose a format. Secrets are removed.'),
  });
  if (!picked) return;
  const target = await vscode.window.showSaveDialog({
    title,
    filters: { [picked.label]: [picked.extension] },
    ...suggestion(`${fileName(sessionTitle)}.${picked.extension}`),
  });
  if (!target) return;
  const text =
    picked.format === 'html'
      ? await replayPage(await library.replay(id), filesOf(extension), pageLanguage())
      : await library.export(id, picked.format);
  await vscode.workspace.fs.writeFile(target, Buffer.from(text));
  await offerToOpen(target, picked.format);
}

/** Copies the session shown as Markdown, without its secrets. Returns false if there is none. */
export async function copyShown({ id }: PanelSession, runtime: RuntimeLoader): Promise<boolean> {
  const library = id === undefined ? await reportNothing() : await libraryOf(runtime);
  if (id === undefined || !library) return false;
  await vscode.env.clipboard.writeText(await library.export(id, 'markdown'));
  return true;
}

async function libraryOf(runtime: RuntimeLoader): Promise<SessionLibrary | undefined> {
  return (await runtime.load()).library ?? reportNothing();
}

async function reportNothing(): Promise<undefined> {
  await vscode.window.showInformationMessage(l10n.t('There is no conversation to export yet.'));
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
  const open = l10n.t('Open');
  const message = withoutLinks(l10n.t('The session was exported to {0}.', vscode.workspace.asRelativePath(target)));
  if ((await vscode.window.showInformationMessage(message, open)) !== open) return;
  if (format === 'html') await openExportedPage(target);
  else await vscode.window.showTextDocument(target);
}

/** Makes a file name from a title in any language. Omits characters that file systems do not allow. */
export function fileName(title: string): string {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return ['gantry', ...words].join('-').slice(0, 60).replace(/-$/, '');
}
