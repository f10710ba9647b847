import * as vscode from 'vscode';
import type { ExportFormat } from '../runtime/session-library.ts';
import type { PanelSession } from './panel-session.ts';
import { withoutLinks } from './plain-words.ts';
import type { RuntimeLoader } from './runtime-loader.ts';
import { fileFolders } from './vscode-host.ts';

const TITLE = 'Gantry: Export Session';
const NOTHING = 'There is no conversation to export yet.';

const FORMATS: readonly (vscode.QuickPickItem & { readonly format: ExportFormat; readonly extension: string })[] = [
  { label: 'Markdown', detail: 'The conversation as you read it', format: 'markdown', extension: 'md' },
  { label: 'JSON', detail: 'Every record of the session, for programs', format: 'json', extension: 'json' },
];

/** Writes the session shown into a file of the user's choice, without the secrets in it. */
export async function exportShown(session: PanelSession, runtime: RuntimeLoader): Promise<void> {
  const { id, title } = session;
  if (id === undefined) await vscode.window.showInformationMessage(NOTHING);
  else await exportSession(id, title, runtime);
}

/** The same with one that need not be shown. */
export async function exportSession(id: string, title: string, runtime: RuntimeLoader): Promise<void> {
  const { library } = await runtime.load();
  if (!library) {
    await vscode.window.showInformationMessage(NOTHING);
    return;
  }
  const picked = await vscode.window.showQuickPick(FORMATS, { title: TITLE });
  if (!picked) return;
  const { format, label, extension } = picked;
  const target = await vscode.window.showSaveDialog({
    title: TITLE,
    filters: { [label]: [extension] },
    ...suggestion(`${fileName(title)}.${extension}`),
  });
  if (!target) return;
  await vscode.workspace.fs.writeFile(target, Buffer.from(await library.export(id, format)));
  await offerToOpen(target);
}

function suggestion(name: string): { readonly defaultUri?: vscode.Uri } {
  const [folder] = fileFolders();
  return folder ? { defaultUri: vscode.Uri.joinPath(folder.uri, name) } : {};
}

async function offerToOpen(target: vscode.Uri): Promise<void> {
  const open = 'Open';
  const message = withoutLinks(`The session was exported to ${vscode.workspace.asRelativePath(target)}.`);
  if ((await vscode.window.showInformationMessage(message, open)) === open)
    await vscode.window.showTextDocument(target);
}

/** Of a title in any language: what file systems do not take is left out. */
export function fileName(title: string): string {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return ['gantry', ...words].join('-').slice(0, 60).replace(/-$/, '');
}
