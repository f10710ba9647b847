import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { LoadedFile } from '../policy/rules/load-policies.ts';
import { TIER_NAMES } from '../policy/rules/why.ts';
import type { RuntimeLoader } from './runtime-loader.ts';

interface FileItem extends vscode.QuickPickItem {
  readonly file?: LoadedFile;
}

const STATES: Readonly<Record<LoadedFile['state'], string>> = {
  in_force: '$(check) in force',
  waiting: '$(shield) would allow more, and waits for your yes',
  damaged: '$(error) has mistakes',
};

/** Opens the file of a rule that was named to the user. The names come from the panel, so it has to be one of those in use. */
export async function openRule(
  runtime: RuntimeLoader,
  { file, tier, line = 1 }: { readonly file: string; readonly tier: string; readonly line?: number | undefined },
): Promise<void> {
  const files = await (await runtime.load()).policies.files();
  const found = files.find((one) => basename(one.path) === file && TIER_NAMES[one.tier] === tier);
  if (!found) {
    await vscode.window.showWarningMessage('The file of this rule is not there any more.');
    return;
  }
  const at = new vscode.Position(Math.max(0, line - 1), 0);
  const selection = new vscode.Range(at, at);
  await vscode.window.showTextDocument(vscode.Uri.file(found.path), { selection, preview: true });
}

/** Shows every file that has rules, and asks about those of the folder that would allow more. */
export async function openPolicies(runtime: RuntimeLoader): Promise<void> {
  const { policies } = await runtime.load();
  const files = await policies.files();
  const items = files.map(
    (file): FileItem => ({
      label: basename(file.path),
      description: TIER_NAMES[file.tier],
      detail: `${STATES[file.state]} · ${file.path}`,
      file,
    }),
  );
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Gantry: Policies',
    placeHolder:
      'Rules that say what runs, what asks and what does not. The later ones in this list are the stronger ones.',
    matchOnDetail: true,
  });
  if (!picked?.file) return;
  await vscode.window.showTextDocument(vscode.Uri.file(picked.file.path));
  if (picked.file.state !== 'waiting') return;
  const accept = 'Let These Rules Allow';
  const answer = await vscode.window.showWarningMessage(
    `${basename(picked.file.path)} comes with this folder and would let more run without a question. Read it first.`,
    accept,
  );
  if (answer === accept) await policies.accept(picked.file.path);
}
