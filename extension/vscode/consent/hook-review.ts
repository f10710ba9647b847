import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { HookCatalog } from '../../hooks/hook-catalog.ts';
import { Disposable } from '../base/disposable.ts';
import { withoutIcons, withoutLinks } from '../base/escape-ui-text.ts';
import { isTrustedElse } from '../base/workspace.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import { ReviewPage } from './review-page.ts';
import { hookLabel, hooksText } from './review-texts.ts';

/** Shows the full commands of a folder's hooks, and lets the user choose which of them run. */
export class HookReview extends Disposable {
  private readonly page = this.register(new ReviewPage('gantry-hooks'));

  constructor(private readonly runtime: RuntimeLoader) {
    super();
  }

  async open(): Promise<void> {
    if (!(await isTrustedElse(l10n.t('Review Hooks is off: this folder is not trusted, so Gantry can only read it.'))))
      return;
    const { hooks } = await this.runtime.load();
    const problems = (await hooks.refresh()).filter(({ waits }) => !waits);
    for (const { file, line, text } of problems) {
      void vscode.window.showWarningMessage(withoutLinks(`${file}:${line}: ${text}`));
    }
    if (hooks.waiting.length > 0) await this.ask(hooks);
    else if (problems.length === 0) void vscode.window.showInformationMessage(l10n.t('No hook requires approval.'));
  }

  private async ask(hooks: HookCatalog): Promise<void> {
    const { waiting } = hooks;
    await this.page.show(l10n.t('Hooks of This Folder'), hooksText(waiting));
    const items = waiting.map((hook, index) => ({
      label: withoutIcons(hookLabel(hook, index + 1)),
      detail: withoutIcons(hook.hook.command),
      hash: hook.hash,
    }));
    const picked = await vscode.window.showQuickPick(items, {
      title: l10n.t('Gantry: Which of These Hooks May Run?'),
      placeHolder: l10n.t('Only selected hooks run. See the editor for the commands.'),
      canPickMany: true,
      // The list stays open while the user reads the editor.
      ignoreFocusOut: true,
    });
    if (!picked || picked.length === 0) return;
    await hooks.accept(picked.map(({ hash }) => hash));
    void vscode.window.showInformationMessage(
      picked.length === 1
        ? l10n.t('One hook runs in this folder from now on.')
        : l10n.t('{0} hooks run in this folder from now on.', picked.length),
    );
  }
}
