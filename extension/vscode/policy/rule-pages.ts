import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { UnsavedFile } from '../../policy/rules/policy-store.ts';
import type { AgentService } from '../../runtime/agent-service.ts';
import type { CallToTry } from '../../runtime/knowledge/tried-call.ts';
import { Disposable } from '../base/disposable.ts';
import { WRAPPED_TEXT } from '../consent/review-page.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import type { PanelSession } from '../session/panel-session.ts';
import { askForCall, noSuchTool, startWithRule } from './call-trial.ts';
import { allRulesPage, explanationPage, type RuleInQuestion, type RulePage } from './rule-page.ts';

const SCHEME = 'gantry-rules';

interface OpenPage {
  readonly make: (service: AgentService) => Promise<RulePage>;
  page: RulePage;
}

const EMPTY: RulePage = { text: '', links: [] };

/** The place of a rule in a file, as an editor shows it. */
export interface RuleLocation {
  /** Absolute. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
}

/** Read-only documents about the rules, which follow every change of the rules. */
export class RulePages extends Disposable {
  private readonly changed = this.register(new vscode.EventEmitter<vscode.Uri>());
  private readonly pages = new Map<string, OpenPage>();
  /** The row also begins with a sign, for themes without such a colour. */
  private readonly decoration = this.register(
    vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      backgroundColor: new vscode.ThemeColor('editor.selectionHighlightBackground'),
    }),
  );
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
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        for (const editor of vscode.window.visibleTextEditors) if (editor.document === document) this.mark(editor);
      }),
    );
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
    const picked = await askForCall(await this.runtime.load(), { mode: this.session.approvalMode });
    if (picked) await this.open(l10n.t('Decision'), (service) => decisionPage(service, picked));
  }

  /** The same, beginning with a call that a rule is about. The page marks the rule. */
  async tryRule(place: RuleLocation): Promise<void> {
    const service = await this.runtime.load();
    const unsaved = unsavedText(place.file);
    const [rule] = await service.policies.rulesAt(place.file, place.line, unsaved);
    if (!rule) return this.tryCommand();
    const { tier } = rule.source;
    const isEdited = unsaved !== undefined && (tier === 'user' || tier === 'workspace');
    const file = isEdited ? { unsaved: { path: place.file, tier, text: unsaved } } : {};
    const picked = await askForCall(service, startWithRule(rule, { mode: this.session.approvalMode, ...file }));
    if (picked) await this.open(l10n.t('Decision'), (again) => decisionPage(again, picked, place));
  }

  /** Shows the decision about a call beside the rules that the user writes, as if they were saved. */
  async showDecisionBeside(path: string, tier: UnsavedFile['tier'], call: CallToTry): Promise<void> {
    const make: OpenPage['make'] = (service) => {
      const text = unsavedText(path);
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
    this.pages.set(uri.toString(), { make, page: EMPTY });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.languages.setTextDocumentLanguage(document, WRAPPED_TEXT);
    const editor = await vscode.window.showTextDocument(document, { preview: true, ...options });
    this.mark(editor);
    const [first] = this.markedIn(uri);
    if (first) editor.revealRange(first, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    return uri;
  }

  private async textOf(uri: vscode.Uri): Promise<string> {
    const page = this.pages.get(uri.toString());
    if (!page) return '';
    const service = await this.runtime.load();
    this.follow(service);
    page.page = await page.make(service);
    return page.page.text;
  }

  private markedIn(uri: vscode.Uri): readonly vscode.Range[] {
    const { marked = [] } = this.pages.get(uri.toString())?.page ?? EMPTY;
    return marked.map((line) => new vscode.Range(line, 0, line, 0));
  }

  private mark(editor: vscode.TextEditor): void {
    editor.setDecorations(this.decoration, this.markedIn(editor.document.uri));
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
    const { links } = this.pages.get(uri.toString())?.page ?? EMPTY;
    return links.map(({ line, start, end, file, at }) => {
      const target = vscode.Uri.file(file).with({ fragment: `L${at}` });
      return new vscode.DocumentLink(new vscode.Range(line, start, line, end), target);
    });
  }
}

async function decisionPage(service: AgentService, call: CallToTry, place?: RuleLocation): Promise<RulePage> {
  const tried = await service.tryCall(call);
  if (!tried) return { text: noSuchTool(call.name), links: [] };
  return explanationPage(call, tried, place && (await inQuestion(service, place)));
}

/** Undefined if the rule is no longer there. */
async function inQuestion({ policies }: AgentService, place: RuleLocation): Promise<RuleInQuestion | undefined> {
  const [rule] = await policies.rulesAt(place.file, place.line, unsavedText(place.file));
  const file = (await policies.files()).find(({ path }) => path === place.file);
  const isInForce = rule?.decision !== 'allow' || (file?.waiting.length ?? 0) === 0;
  return rule && { ...place, priority: rule.priority, isInForce };
}

function unsavedText(path: string): string | undefined {
  return vscode.workspace.textDocuments.find(({ uri, isDirty }) => isDirty && uri.fsPath === path)?.getText();
}
