import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { errorText } from '../../base/errors.ts';
import { isObject } from '../../base/objects.ts';
import { parseJson } from '../../model/json.ts';
import type { Decision, PolicyRule } from '../../policy/policy-types.ts';
import { exampleCall } from '../../policy/rules/example-call.ts';
import { isQualified, SHELL_TOOL } from '../../policy/rules/known-tools.ts';
import { APPROVAL_MODES } from '../../protocol/agent/approval-mode.ts';
import type { AgentService } from '../../runtime/agent-service.ts';
import type { CallToTry } from '../../runtime/knowledge/tried-call.ts';
import { visible, withoutLinks } from '../base/escape-ui-text.ts';
import { decisionText } from './rule-page.ts';

const SEVERITY: Readonly<Record<Decision, vscode.InputBoxValidationSeverity>> = {
  allow: vscode.InputBoxValidationSeverity.Info,
  ask_user: vscode.InputBoxValidationSeverity.Warning,
  deny: vscode.InputBoxValidationSeverity.Error,
};

/** What the user begins with. */
export interface TrialStart extends Pick<CallToTry, 'mode' | 'unsaved'> {
  readonly value?: string;
  readonly interactive?: boolean;
}

/** Begins with a call that the rule is about, in circumstances in which it is asked. */
export function startWithRule(rule: PolicyRule, { mode, unsaved }: TrialStart): TrialStart {
  const { name, args } = exampleCall(rule);
  const { modes = [], interactive = true } = rule;
  const { command } = args;
  return {
    mode: modes.length === 0 || modes.includes(mode) ? mode : (modes[0] ?? mode),
    interactive,
    value: typeof command === 'string' ? command : `${name} ${JSON.stringify(args)}`,
    ...(unsaved && { unsaved }),
  };
}

/** Decides about what the user types, while they type. Resolves to what they want to see explained, if anything. */
export async function askForCall(service: AgentService, start: TrialStart): Promise<CallToTry | undefined> {
  const box = vscode.window.createInputBox();
  try {
    return await new Promise((resolve) => {
      const trial = new CallTrial(box, service, start);
      box.onDidAccept(() => {
        const call = trial.call();
        if (!call) return;
        resolve(call);
        box.hide();
      });
      box.onDidHide(() => resolve(undefined));
      box.show();
    });
  } finally {
    box.dispose();
  }
}

/** A call in an input box, and the decision about it. */
class CallTrial {
  private mode: CallToTry['mode'];
  private interactive: boolean;
  private asUntrusted = false;
  private isLooking = false;
  /** Whether the input has changed since the last look began. */
  private hasChanged = false;

  constructor(
    private readonly box: vscode.InputBox,
    private readonly service: AgentService,
    private readonly start: TrialStart,
  ) {
    this.mode = start.mode;
    this.interactive = start.interactive ?? true;
    box.placeholder = l10n.t('A command such as npm test');
    box.prompt = l10n.t('Nothing is run. You can also enter a tool: {0}', 'write_file {"file_path": "a.txt"}');
    box.value = start.value ?? '';
    box.onDidChangeValue(() => void this.look());
    box.onDidTriggerButton((button) => {
      this.press(box.buttons.indexOf(button));
      this.showCircumstances();
      void this.look();
    });
    this.showCircumstances();
    if (box.value !== '') void this.look();
  }

  /** Undefined if the input is not a call. */
  call(): CallToTry | undefined {
    const { mode, interactive, asUntrusted } = this;
    const { unsaved } = this.start;
    const about = { mode, interactive, ...(asUntrusted && { asUntrusted }), ...(unsaved && { unsaved }) };
    const value = this.box.value.trim();
    if (value === '') return undefined;
    const [, name = '', json = ''] = /^(\S+)\s+(\{.*\})$/s.exec(value) ?? [];
    const isTool = isQualified(name) || (name !== '' && this.service.listTools().some((tool) => tool.name === name));
    if (!isTool) return { name: SHELL_TOOL, args: { command: value }, ...about };
    const args = parseJson(json);
    return isObject(args) ? { name, args, ...about } : undefined;
  }

  private press(button: number): void {
    if (button === 0) this.mode = nextMode(this.mode);
    else if (button === 1) this.interactive = !this.interactive;
    else this.asUntrusted = !this.asUntrusted;
  }

  private showCircumstances(): void {
    const { box, mode, interactive, asUntrusted } = this;
    const { isTrusted } = vscode.workspace;
    const circumstances = [
      l10n.t('mode {0}', mode),
      interactive ? l10n.t('somebody can be asked') : l10n.t('nobody can be asked'),
      ...(isTrusted && !asUntrusted ? [] : [l10n.t('folder not trusted')]),
    ];
    box.title = l10n.t('Gantry: Try a Command ({0})', circumstances.join(', '));
    box.buttons = [
      { iconPath: new vscode.ThemeIcon('shield'), tooltip: l10n.t('Use the mode {0}', nextMode(mode)) },
      interactive
        ? { iconPath: new vscode.ThemeIcon('person'), tooltip: l10n.t('As if nobody can be asked') }
        : { iconPath: new vscode.ThemeIcon('circle-slash'), tooltip: l10n.t('As if somebody can be asked') },
      // As if an untrusted folder were trusted can't be tried: that would run programs in it.
      ...(isTrusted ? [trustButton(asUntrusted)] : []),
    ];
  }

  /** One look at a time, because a decision can start processes that read the repository. */
  private async look(): Promise<void> {
    this.hasChanged = true;
    if (this.isLooking) return;
    this.isLooking = true;
    while (this.hasChanged) {
      this.hasChanged = false;
      const message = await this.messageOn(this.call());
      if (!this.hasChanged) this.box.validationMessage = message;
    }
    this.isLooking = false;
  }

  private async messageOn(call: CallToTry | undefined): Promise<vscode.InputBoxValidationMessage | undefined> {
    if (!call) {
      if (this.box.value.trim() === '') return undefined;
      return { message: l10n.t("The tool's arguments are not a JSON object."), severity: SEVERITY.deny };
    }
    try {
      const tried = await this.service.tryCall(call);
      if (!tried) return { message: shownText(noSuchTool(call.name)), severity: SEVERITY.deny };
      return { message: shownText(decisionText(tried.ruling)), severity: SEVERITY[tried.ruling.decision] };
    } catch (error) {
      return { message: shownText(errorText(error)), severity: SEVERITY.deny };
    }
  }
}

/** VS Code also makes links of the message of an input box, and the name of a policy file can come from the folder. */
function shownText(text: string): string {
  return visible(withoutLinks(text));
}

function trustButton(asUntrusted: boolean): vscode.QuickInputButton {
  return asUntrusted
    ? { iconPath: new vscode.ThemeIcon('lock'), tooltip: l10n.t('As if the folder is trusted') }
    : { iconPath: new vscode.ThemeIcon('unlock'), tooltip: l10n.t('As if the folder is not trusted') };
}

function nextMode(mode: CallToTry['mode']): CallToTry['mode'] {
  return APPROVAL_MODES[(APPROVAL_MODES.indexOf(mode) + 1) % APPROVAL_MODES.length] ?? mode;
}

export function noSuchTool(name: string): string {
  return l10n.t('There is no tool {0}.', name);
}
