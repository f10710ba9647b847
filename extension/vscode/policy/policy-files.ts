import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { whoseRule } from '../../policy/rules/decision-text.ts';
import type { LoadedFile } from '../../policy/rules/load-policies.ts';
import type { PolicyStore } from '../../policy/rules/policy-store.ts';
import { tierTitle } from '../../policy/rules/rule-sentence.ts';
import { withoutIcons, withoutLinks } from '../base/escape-ui-text.ts';
import { isTrustedElse } from '../base/workspace.ts';
import { Commands } from '../names.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import { acceptText, policyFileState } from './policy-texts.ts';
import type { RulePages } from './rule-pages.ts';

interface PolicyItem extends vscode.QuickPickItem {
  readonly file?: LoadedFile;
  readonly run?: () => Promise<void>;
}

/** Opens the file of a rule. The panel sends the name, so the file must be one that is in use. */
export async function openRule(
  runtime: RuntimeLoader,
  { file, tier, line = 1 }: { readonly file: string; readonly tier: string; readonly line?: number | undefined },
): Promise<void> {
  const files = await (await runtime.load()).policies.files();
  const found = files.find((one) => basename(one.path) === file && whoseRule(one) === tier);
  if (!found) {
    await vscode.window.showWarningMessage(l10n.t('The file of this rule no longer exists.'));
    return;
  }
  const at = new vscode.Position(Math.max(0, line - 1), 0);
  const selection = new vscode.Range(at, at);
  await vscode.window.showTextDocument(vscode.Uri.file(found.path), { selection, preview: true });
}

/** Lists every policy file, and asks for approval of the folder's rules that would allow more. */
export async function openPolicies(
  runtime: RuntimeLoader,
  pages: () => Promise<Pick<RulePages, 'showRules' | 'tryCommand'>>,
): Promise<void> {
  const { policies } = await runtime.load();
  const items = policyItems(await policies.files(), policies);
  const picked = await vscode.window.showQuickPick([...pageItems(pages), ...items], {
    title: l10n.t('Gantry: Policies'),
    placeHolder: l10n.t('Rules decide what may run. Files are listed by priority.'),
    matchOnDetail: true,
  });
  if (picked?.run) await picked.run();
  if (!picked?.file) return;
  await vscode.window.showTextDocument(vscode.Uri.file(picked.file.path));
  if (picked.file.waiting.length > 0) await askToAccept(picked.file, policies);
}

function pageItems(pages: () => Promise<Pick<RulePages, 'showRules' | 'tryCommand'>>): PolicyItem[] {
  return [
    { label: `$(list-ordered) ${l10n.t('Show All Rules')}`, run: async () => (await pages()).showRules() },
    { label: `$(beaker) ${l10n.t('Try a Command…')}`, run: async () => (await pages()).tryCommand() },
    {
      label: `$(new-file) ${l10n.t('New Policy Rule…')}`,
      run: async () => vscode.commands.executeCommand(Commands.newPolicyRule),
    },
  ];
}

function policyItems(files: readonly LoadedFile[], { problems }: PolicyStore): PolicyItem[] {
  return files.flatMap((file, index): PolicyItem[] => [
    ...(file.tier === files[index - 1]?.tier ? [] : [separator(tierTitle(file.tier))]),
    {
      label: fileLabel(file),
      description: policyFileState(file, problems),
      // Shipped files are deep in the extension's folder: every path would be cut at the same place.
      ...(file.tier !== 'default' && { detail: file.path }),
      file,
    },
  ]);
}

function fileLabel({ path, extension }: LoadedFile): string {
  const name = withoutIcons(basename(path));
  return extension === undefined ? name : l10n.t('{0} (extension {1})', name, extension);
}

function separator(label: string): PolicyItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

/** Asks for approval of a policy file, by default of the one in the editor. Only what is saved can be approved. */
export async function acceptPolicyFile(
  runtime: Pick<RuntimeLoader, 'load'>,
  path = vscode.window.activeTextEditor?.document.uri.fsPath ?? '',
): Promise<void> {
  if (!(await isTrustedElse(l10n.t('In Restricted Mode, the policy files of this folder are ignored.')))) return;
  const document = vscode.workspace.textDocuments.find(({ uri, isDirty }) => uri.fsPath === path && isDirty);
  if (document) {
    void vscode.window.showWarningMessage(l10n.t('Save {0} first. Nothing was approved.', basename(path)));
    return;
  }
  const { policies } = await runtime.load();
  const file = (await policies.files()).find((one) => one.path === path);
  if (file && file.waiting.length > 0) await askToAccept(file, policies);
  else void vscode.window.showInformationMessage(l10n.t('No rule in {0} requires your approval.', basename(path)));
}

async function askToAccept(file: LoadedFile, policies: PolicyStore): Promise<void> {
  const accept = l10n.t('Approve Rules');
  const question = l10n.t('Approve the rules in {0}?', basename(file.path));
  const answer = await vscode.window.showWarningMessage(
    withoutLinks(question),
    { modal: true, detail: acceptText(file) },
    accept,
  );
  if (answer !== accept) return;
  // The approval covers only what was shown.
  const now = (await policies.files()).find(({ path }) => path === file.path);
  if (now?.text === file.text) await policies.accept(file.path);
  else void vscode.window.showWarningMessage(l10n.t('Nothing was approved: the file has changed. Review it again.'));
}
