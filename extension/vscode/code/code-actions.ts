import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { guardPath } from '../../files/path-guard.ts';
import { withoutLinks } from '../base/escape-ui-text.ts';
import { fileFolders, isTrustedElse } from '../base/workspace.ts';
import type { OfferedCode } from '../review/offered-code.ts';
import { editorLanguage } from './fence-language.ts';
import { type LineSlice, placed } from './placed-code.ts';

/** The review of proposed changes. */
export interface CodeReview {
  load(): Promise<{
    readonly offered: Pick<OfferedCode, 'offer'>;
    /** Opens the plan of a pending question in an editor. */
    openPlan(requestId: string): Promise<void>;
  }>;
}

/** Inserts code of an answer at the cursor, or in place of the selection. The user can undo this. */
export async function insertCode(text: string): Promise<void> {
  if (!(await isTrustedElse(l10n.t('Inserting code is off: this folder is not trusted, so Gantry can only read it.'))))
    return;
  const editor = currentEditor();
  if (!editor) {
    await warn(l10n.t('Open a file, and put the cursor where the code belongs.'));
    return;
  }
  const done = await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
  if (!done) await warn(l10n.t('The code was not inserted: this editor is read-only.'));
}

/** Opens code in a new untitled editor. */
export async function openCode(content: string, fence: string): Promise<void> {
  const language = editorLanguage(fence, await vscode.languages.getLanguages());
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content, language }));
}

/** Proposes code as a change to a file. The path comes from the model; without one, the user chooses the file. */
export async function applyCode(review: CodeReview, code: string, path: string | undefined): Promise<void> {
  if (!(await isTrustedElse(l10n.t('Applying code is off: this folder is not trusted, so Gantry can only read it.'))))
    return;
  const wanted = path ?? (await chooseFile());
  if (wanted === undefined) return;
  const roots = fileFolders().map(({ uri }) => uri.fsPath);
  const found = await guardPath(wanted, roots);
  if (!found.allowed) {
    await warn(l10n.t("The code was not applied: {0} is outside the open folders or can't be accessed.", wanted));
    return;
  }
  const before = found.exists ? await textOf(found.editorPath) : null;
  if (before === undefined) {
    await warn(l10n.t('The code was not applied: {0} is not a text file.', wanted));
    return;
  }
  const after = placed(code, before ?? '', selectedIn(found.editorPath));
  if (after === before) {
    await warn(l10n.t('{0} already has this code.', wanted));
    return;
  }
  const { offered } = await review.load();
  await offered.offer({
    path: found.editorPath,
    label: vscode.workspace.asRelativePath(found.editorPath),
    before,
    after,
  });
}

/** The editor that was used last: the panel itself may be the active editor. */
function currentEditor(): vscode.TextEditor | undefined {
  return vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors.find(({ viewColumn }) => viewColumn);
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return (await vscode.workspace.openTextDocument(vscode.Uri.file(path))).getText();
  } catch {
    return undefined;
  }
}

function selectedIn(path: string): LineSlice | undefined {
  const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.fsPath === path);
  if (!editor || editor.selection.isEmpty) return undefined;
  const { start, end } = editor.selection;
  // If a selection ends at the start of a line, that line is not selected.
  return { start: start.line, end: end.character === 0 ? end.line : end.line + 1 };
}

async function chooseFile(): Promise<string | undefined> {
  const open = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) => (input instanceof vscode.TabInputText && input.uri.scheme === 'file' ? input.uri : []));
  const first = currentEditor()?.document.uri;
  const files = [
    ...new Map([...(first?.scheme === 'file' ? [first] : []), ...open].map((uri) => [uri.fsPath, uri])).values(),
  ];
  const items = files.map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri }));
  const choice = await vscode.window.showQuickPick(
    [...items, { label: l10n.t('Choose another file…'), uri: undefined }],
    {
      placeHolder: l10n.t('Apply the code to which file? You see the change before anything is written.'),
    },
  );
  if (!choice || choice.uri) return choice?.uri?.fsPath;
  const [picked] =
    (await vscode.window.showOpenDialog({ canSelectMany: false, openLabel: l10n.t('Apply to This File') })) ?? [];
  return picked?.fsPath;
}

async function warn(text: string): Promise<void> {
  await vscode.window.showWarningMessage(withoutLinks(text));
}
