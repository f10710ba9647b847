import * as vscode from 'vscode';
import type { HookCatalog } from '../hooks/hook-catalog.ts';
import { Disposable } from './disposable.ts';
import { hookLabel, hooksText } from './hook-texts.ts';
import { withoutIcons, withoutLinks } from './plain-words.ts';
import type { RuntimeLoader } from './runtime-loader.ts';
import { isTrustedFor } from './trust/needs-trust.ts';

const SCHEME = 'gantry-hooks';

/** Shows the hooks that a folder brings along, whole, and lets the user say which of them may run. */
export class HookReview extends Disposable {
  private text = '';
  private reviews = 0;

  constructor(private readonly runtime: RuntimeLoader) {
    super();
    const provideTextDocumentContent = (): string => this.text;
    this.register(vscode.workspace.registerTextDocumentContentProvider(SCHEME, { provideTextDocumentContent }));
  }

  async open(): Promise<void> {
    if (!(await isTrustedFor('Review Hooks'))) return;
    const { hooks } = await this.runtime.load();
    const problems = (await hooks.refresh()).filter(({ waits }) => !waits);
    for (const { file, line, text } of problems) {
      void vscode.window.showWarningMessage(withoutLinks(`${file}:${line}: ${text}`));
    }
    if (hooks.waiting.length > 0) await this.ask(hooks);
    else if (problems.length === 0) void vscode.window.showInformationMessage('No hook waits for your yes.');
  }

  private async ask(hooks: HookCatalog): Promise<void> {
    const { waiting } = hooks;
    await this.show(hooksText(waiting));
    const items = waiting.map((hook, index) => ({
      label: withoutIcons(hookLabel(hook, index + 1)),
      detail: withoutIcons(hook.hook.command),
      hash: hook.hash,
    }));
    const picked = await vscode.window.showQuickPick(items, {
      title: 'Gantry: Which of These Hooks May Run?',
      placeHolder: 'Nothing runs that you do not tick. The whole commands are in the editor.',
      canPickMany: true,
      // So that the editor can be read meanwhile.
      ignoreFocusOut: true,
    });
    if (!picked || picked.length === 0) return;
    await hooks.accept(picked.map(({ hash }) => hash));
    const count = picked.length === 1 ? 'One hook runs' : `${picked.length} hooks run`;
    void vscode.window.showInformationMessage(`${count} in this folder from now on.`);
  }

  private async show(text: string): Promise<void> {
    this.text = text;
    this.reviews++;
    // A new address each time: VS Code keeps the text of one it has open.
    const uri = vscode.Uri.from({ scheme: SCHEME, path: 'Hooks of This Folder', query: String(this.reviews) });
    await vscode.window.showTextDocument(uri, { preview: true, preserveFocus: true });
  }
}
