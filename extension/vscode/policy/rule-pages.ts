import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { errorText } from '../../base/errors.ts';
import { isObject } from '../../base/objects.ts';
import { parseJson } from '../../model/json.ts';
import type { Decision } from '../../policy/policy-types.ts';
import { SHELL_TOOL } from '../../policy/rules/known-tools.ts';
import type { UnsavedFile } from '../../policy/rules/policy-store.ts';
import { APPROVAL_MODES } from '../../protocol/agent/approval-mode.ts';
import type { AgentService } from '../../runtime/agent-service.ts';
import type { CallToTry } from '../../runtime/knowledge/tried-call.ts';
import { Disposable } from '../base/disposable.ts';
import { visible, withoutLinks } from '../base/escape-ui-text.ts';
import { WRAPPED_TEXT } from '../consent/review-page.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import type { PanelSession } from '../session/panel-session.ts';
import { allRulesPage, decisionText, explanationPage, type RulePage } from './rule-page.ts';

const SCHEME = 'gantry-rules';

const SEVERITY: Readonly<Record<Decision, vscode.InputBoxValidationSeverity>> = {
  allow: vscode.InputBoxValidationSeverity.Info,
  ask_user: vscode.InputBoxValidationSeverity.Warning,
  deny: vscode.InputBoxValidationSeverity.Error,
};

interface OpenPage {
  readonly make: (service: AgentService) => Promise<RulePage>;
  links: RulePage['links'];
}

/** Read-only documents about the rules, which follow every change of the rules. */
export class RulePages extends Disposable {
  private readonly changed = this.register(new vscode.EventEmitter<vscode.Uri>());
  private readonly pages = new Map<string, OpenPage>();
  private opened = 0;
  private followed: AgentService['policies'] | undefined;

  constructor(
    private readonly runtime: Pick<RuntimeLoader, 'load'>,
    private readonly session: Pick<PanelSession, 'approvalMode'>,
  ) {
    super();
    const provider: vscode.TextDocumentContentProvider & vscode.DocumentLinkProvider = {
      onDidChange: this.changed.event,
      provideTextDocumentContent: (uri) => this.textOf(uri),
      provideDocumentLinks: ({ uri }) => this.linksIn(uri),
    };
    this.register(vscode.workspace.registerTextDocumentContentProvider(SCHEME, provider));
    this.register(vscode.languages.registerDocumentLinkProvider({ scheme: SCHEME }, provider));
    this.register(
      vscode.workspace.onDidCloseTextDocument(({ uri, isClosed }) => {
        // Another language closes and opens a document, too.
        if (isClosed) this.pages.delete(uri.toString());
      }),
    );
  }

  async showRules(): Promise<void> {
    await this.open(l10n.t('All Rules'), async (service) => allRulesPage(await service.rules()));
  }

  /** Decides about what the user types, while they type. Enter shows how the decision came about. */
  async tryCommand(): Promise<void> {
    const service = await this.runtime.load();
    const box = vscode.window.createInputBox();
    const picked = await new Promise<CallToTry | undefined>((resolve) => {
      const trial = new Trial(box, service, this.session.approvalMode);
      box.onDidAccept(() => {
        const call = trial.call();
        if (!call) return;
        resolve(call);
        box.hide();
      });
      box.onDidHide(() => resolve(undefined));
      box.show();
    }).finally(() => box.dispose());
    if (picked) await this.open(l10n.t('Decision'), (again) => decisionPage(again, picked));
  }

  /** Shows the decision about a call beside the rules that the user writes, as if they were saved. */
  async showDecisionBeside(path: string, tier: UnsavedFile['tier'], call: CallToTry): Promise<void> {
    const make: OpenPage['make'] = (service) => {
      const unsaved = vscode.workspace.textDocuments.find(({ uri, isDirty }) => isDirty && uri.fsPath === path);
      const text = unsaved?.getText();
      return decisionPage(service, text === undefined ? call : { ...call, unsaved: { path, tier, text } });
    };
    const beside = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const address = await this.open(l10n.t('Decision'), make, beside);
    const following = vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (!this.pages.has(address.toString())) following.dispose();
      else if (document.uri.fsPath === path) this.changed.fire(address);
    });
    this.register(following);
  }

  private async open(
    title: string,
    make: OpenPage['make'],
    options: vscode.TextDocumentShowOptions = {},
  ): Promise<vscode.Uri> {
    // A closed document doesn't get its address again, because VS Code may keep its links.
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${title}`, query: String(++this.opened) });
    this.pages.set(uri.toString(), { make, links: [] });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.languages.setTextDocumentLanguage(document, WRAPPED_TEXT);
    await vscode.window.showTextDocument(document, { preview: true, ...options });
    return uri;
  }

  private async textOf(uri: vscode.Uri): Promise<string> {
    const page = this.pages.get(uri.toString());
    if (!page) return '';
    const service = await this.runtime.load();
    this.follow(service);
    const { text, links } = await page.make(service);
    page.links = links;
    return text;
  }

  private follow({ policies }: AgentService): void {
    if (this.followed === policies) return;
    this.followed = policies;
    const update = (): void => {
      for (const address of this.pages.keys()) this.changed.fire(vscode.Uri.parse(address));
    };
    this.register({ dispose: policies.onDidChange(update) });
  }

  private linksIn(uri: vscode.Uri): vscode.DocumentLink[] {
    const links = this.pages.get(uri.toString())?.links ?? [];
    return links.map(({ line, start, end, file, at }) => {
      const target = vscode.Uri.file(file).with({ fragment: `L${at}` });
      return new vscode.DocumentLink(new vscode.Range(line, start, line, end), target);
    });
  }
}

async function decisionPage(service: AgentService, call: CallToTry): Promise<RulePage> {
  const tried = await service.tryCall(call);
  return tried ? explanationPage(call, tried) : { text: noSuchTool(call.name), links: [] };
}

/** A call in an input box, and the decision about it. */
class Trial {
  private interactive = true;
  private isLooking = false;
  /** Whether the input has changed since the last look began. */
  private hasChanged = false;

  constructor(
    private readonly box: vscode.InputBox,
    private readonly service: AgentService,
    private mode: CallToTry['mode'],
  ) {
    box.placeholder = l10n.t('A command such as npm test');
    box.prompt = l10n.t('Nothing is run. You can also enter a tool: {0}', 'write_file {"file_path": "a.txt"}');
    box.onDidChangeValue(() => void this.look());
    box.onDidTriggerButton((button) => {
      if (button === box.buttons[0]) this.mode = nextMode(this.mode);
      else this.interactive = !this.interactive;
      this.showCircumstances();
      void this.look();
    });
    this.showCircumstances();
  }

  /** Undefined if the input is not a call. */
  call(): CallToTry | undefined {
    const { mode, interactive } = this;
    const value = this.box.value.trim();
    if (value === '') return undefined;
    const [, name = '', json = ''] = /^(\S+)\s+(\{.*\})$/s.exec(value) ?? [];
    const isTool = name !== '' && this.service.listTools().some((tool) => tool.name === name);
    if (!isTool) return { name: SHELL_TOOL, args: { command: value }, mode, interactive };
    const args = parseJson(json);
    return isObject(args) ? { name, args, mode, interactive } : undefined;
  }

  private showCircumstances(): void {
    const { box, mode, interactive } = this;
    box.title = interactive
      ? l10n.t('Gantry: Try a Command (mode {0}, somebody can be asked)', mode)
      : l10n.t('Gantry: Try a Command (mode {0}, nobody can be asked)', mode);
    box.buttons = [
      { iconPath: new vscode.ThemeIcon('shield'), tooltip: l10n.t('Use the mode {0}', nextMode(mode)) },
      interactive
        ? { iconPath: new vscode.ThemeIcon('person'), tooltip: l10n.t('As if nobody can be asked') }
        : { iconPath: new vscode.ThemeIcon('circle-slash'), tooltip: l10n.t('As if somebody can be asked') },
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

function nextMode(mode: CallToTry['mode']): CallToTry['mode'] {
  return APPROVAL_MODES[(APPROVAL_MODES.indexOf(mode) + 1) % APPROVAL_MODES.length] ?? mode;
}

function noSuchTool(name: string): string {
  return l10n.t('There is no tool {0}.', name);
}
