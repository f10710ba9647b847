import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentCatalog } from '../../agents/agent-catalog.ts';
import { Disposable } from '../base/disposable.ts';
import { withoutIcons } from '../base/escape-ui-text.ts';
import { isTrustedElse } from '../base/workspace.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import { ReviewPage } from './review-page.ts';
import { agentLabel, agentsText } from './review-texts.ts';

/** Shows the full definitions of a folder's agents, and lets the user choose which of them can be used. */
export class AgentReview extends Disposable {
  private readonly page = this.register(new ReviewPage('gantry-agents'));

  constructor(private readonly runtime: RuntimeLoader) {
    super();
  }

  async open(): Promise<void> {
    if (!(await isTrustedElse(l10n.t('Review Agents is off: this folder is not trusted, so Gantry can only read it.'))))
      return;
    const { agents } = await this.runtime.load();
    await agents.refresh();
    if (agents.waiting.length > 0) await this.ask(agents);
    else void vscode.window.showInformationMessage(l10n.t('No agent requires approval.'));
  }

  private async ask(agents: AgentCatalog): Promise<void> {
    const { waiting } = agents;
    await this.page.show(l10n.t('Agents of This Folder'), agentsText(waiting));
    const items = waiting.map((file, index) => ({
      label: withoutIcons(agentLabel(file, index + 1)),
      detail: withoutIcons(file.path),
      file,
    }));
    const picked = await vscode.window.showQuickPick(items, {
      title: l10n.t('Gantry: Which of These Agents May Be Used?'),
      placeHolder: l10n.t('Only selected agents are used. See the editor for details.'),
      canPickMany: true,
      // The list stays open while the user reads the editor.
      ignoreFocusOut: true,
    });
    if (!picked || picked.length === 0) return;
    // Each approval covers the text that was shown: a file that has changed since still requires approval.
    for (const { file } of picked) await agents.accept(file);
    void vscode.window.showInformationMessage(
      picked.length === 1
        ? l10n.t('The agents of one file can be used in this folder from now on.')
        : l10n.t('The agents of {0} files can be used in this folder from now on.', picked.length),
    );
  }
}
