import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Decision } from '../../policy/policy-types.ts';
import type { SettingsPort } from '../../ports/settings.ts';
import type { PendingApprovals } from '../approvals/pending-approvals.ts';
import { Disposable } from '../base/disposable.ts';
import { Commands } from '../names.ts';
import type { RulePages } from '../policy/rule-pages.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import { beginNewFile } from './new-file.ts';
import { newFileKinds } from './new-file-kinds.ts';
import { addToFile } from './open-snippet.ts';
import { type PolicyTarget, pickPolicyTarget } from './policy-target.ts';
import { ruleSnippet, rulesHeader } from './rule-snippet.ts';

/** The decisions of a new rule. The first one allows nothing: where files are saved automatically, it counts at once. */
const DECISIONS: readonly Decision[] = ['ask_user', 'allow', 'deny'];
const WITHOUT_ALLOW: readonly Decision[] = ['ask_user', 'deny', 'allow'];

export type AuthoringCommand = keyof typeof newFileKinds | typeof Commands.newPolicyRule | typeof Commands.writeRule;

export interface AuthoringParts {
  readonly runtime: Pick<RuntimeLoader, 'load'>;
  readonly pending: Pick<PendingApprovals, 'items'>;
  readonly settings: Pick<SettingsPort, 'policyPaths'>;
  readonly pages: () => Promise<Pick<RulePages, 'showDecisionBeside'>>;
}

/** Begins the files that configure the agent, and rules in them. */
export class Authoring extends Disposable {
  constructor(private readonly parts: AuthoringParts) {
    super();
  }

  /** `about` comes from outside: a link, a button or another extension. */
  async run(command: AuthoringCommand, about: unknown): Promise<void> {
    switch (command) {
      case Commands.newPolicyRule:
        await this.addRule(l10n.t('New Policy Rule'), ruleSnippet(DECISIONS));
        return;
      case Commands.writeRule:
        await this.ruleFor(typeof about === 'string' ? about : this.firstCall);
        return;
      case Commands.newAgent:
      case Commands.newSkill:
      case Commands.newCommand:
        await beginNewFile(newFileKinds[command]());
    }
  }

  /** Writes a rule about the call of a question, and shows how it decides about the call. */
  private async ruleFor(requestId: string): Promise<void> {
    const about = await (await this.parts.runtime.load()).ruleFor(requestId);
    if (!about) {
      void vscode.window.showInformationMessage(l10n.t('This question is not about a call, or has been answered.'));
      return;
    }
    const { subject, canAllow, call } = about;
    const snippet = ruleSnippet(canAllow ? DECISIONS : WITHOUT_ALLOW, subject);
    const target = await this.addRule(l10n.t('Write a Rule'), snippet);
    if (target) await (await this.parts.pages()).showDecisionBeside(target.path, target.scope, call);
  }

  private get firstCall(): string {
    const asked = this.parts.pending.items.find(({ callId }) => callId !== undefined);
    return asked?.approval.requestId ?? '';
  }

  private async addRule(title: string, snippet: string): Promise<PolicyTarget | undefined> {
    const target = await pickPolicyTarget(title, this.parts.settings.policyPaths());
    if (target) await addToFile(target.path, snippet, rulesHeader(target.scope));
    return target;
  }
}
