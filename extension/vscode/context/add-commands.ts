import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { withoutLinks } from '../base/escape-ui-text.ts';
import { lineRangeOf, placeOf } from '../editor/place.ts';
import { Commands } from '../names.ts';
import { type Attachments, uriAttachment } from './attachments.ts';
import { pickProblem, problemAttachment } from './problem-attachment.ts';
import { terminalSelection } from './terminal-selection.ts';

type AddCommand =
  | typeof Commands.addSelection
  | typeof Commands.addFile
  | typeof Commands.addFolder
  | typeof Commands.addTerminalSelection
  | typeof Commands.addProblem;

interface AddTargets {
  readonly attachments: () => Attachments;
  /** The user asked to attach something, so the input gets the focus. The user still decides when to send. */
  readonly focusChat: () => Promise<void>;
}

/** A message has no room for more, and users would not read so many chips. */
const MOST_AT_ONCE = 30;

/** The commands that attach something to the next message. */
export function addCommands({
  attachments,
  focusChat,
}: AddTargets): Record<AddCommand, (...args: unknown[]) => unknown> {
  const add = async (added: boolean): Promise<void> => {
    if (added) await focusChat();
  };
  return {
    [Commands.addSelection]: async () => add(await addSelection(attachments())),
    [Commands.addFile]: async (clicked, selected) => add(await addPaths(attachments(), clicked, selected, 'file')),
    [Commands.addFolder]: async (clicked, selected) => add(await addPaths(attachments(), clicked, selected, 'folder')),
    [Commands.addTerminalSelection]: async () => add(await addTerminal(attachments())),
    [Commands.addProblem]: async (uri, diagnostic) => add(await addProblem(attachments(), uri, diagnostic)),
  };
}

async function addSelection(attachments: Attachments): Promise<boolean> {
  const editor = vscode.window.activeTextEditor;
  const selections = editor?.selections.filter(({ isEmpty }) => !isEmpty) ?? [];
  if (editor === undefined || selections.length === 0) return notify(l10n.t('Select something in an editor first.'));
  const { document } = editor;
  for (const selection of selections) {
    const lines = lineRangeOf(selection);
    const content = { text: document.getText(selection) };
    attachments.add({ kind: 'selection', ...placeOf(document.uri, lines), ...lines, content });
  }
  return true;
}

/** The Explorer passes the clicked and the selected resources, a tab passes its file, the palette passes nothing. */
async function addPaths(
  attachments: Attachments,
  clicked: unknown,
  selected: unknown,
  wanted: 'file' | 'folder',
): Promise<boolean> {
  const given = [...(Array.isArray(selected) ? selected : []), clicked].filter((uri) => uri instanceof vscode.Uri);
  const uris = given.length > 0 ? given : await pickPaths(wanted);
  const different = [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
  for (const uri of different.slice(0, MOST_AT_ONCE)) {
    attachments.add(await uriAttachment(uri));
  }
  if (different.length > MOST_AT_ONCE) {
    void notify(
      l10n.t('The first {0} of {1} were added. You can add a folder instead.', MOST_AT_ONCE, different.length),
    );
  }
  return different.length > 0;
}

async function pickPaths(wanted: 'file' | 'folder'): Promise<readonly vscode.Uri[]> {
  const open = vscode.window.activeTextEditor?.document.uri;
  if (wanted === 'file' && open !== undefined) return [open];
  const canSelectFolders = wanted === 'folder';
  const options = {
    canSelectFiles: !canSelectFolders,
    canSelectFolders,
    canSelectMany: true,
    openLabel: l10n.t('Add to Chat'),
  };
  return (await vscode.window.showOpenDialog(options)) ?? [];
}

async function addTerminal(attachments: Attachments): Promise<boolean> {
  const text = await terminalSelection();
  if (text === undefined) return notify(l10n.t('Select something in a terminal first.'));
  const lines = text.trimEnd().split('\n').length;
  const name = vscode.window.activeTerminal?.name ?? 'terminal';
  const label = `${name}, ${lines} ${lines === 1 ? 'line' : 'lines'}`;
  attachments.add({ kind: 'terminal', label, content: { text } });
  return true;
}

async function addProblem(attachments: Attachments, uri: unknown, given: unknown): Promise<boolean> {
  if (uri instanceof vscode.Uri && given instanceof vscode.Diagnostic) {
    attachments.add(await problemAttachment(uri, given));
    return true;
  }
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || vscode.languages.getDiagnostics(editor.document.uri).length === 0) {
    return notify(l10n.t('There is no problem in the active editor.'));
  }
  const picked = await pickProblem(editor);
  if (picked) attachments.add(await problemAttachment(editor.document.uri, picked));
  return picked !== undefined;
}

function notify(text: string): false {
  void vscode.window.showInformationMessage(withoutLinks(text));
  return false;
}
