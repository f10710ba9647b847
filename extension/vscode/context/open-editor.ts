import * as vscode from 'vscode';
import type { Logger } from '../../ports/logger.ts';
import type { ContentPart } from '../../protocol/agent/content-part.ts';
import type { SentEditor } from '../../protocol/agent/reference.ts';
import type { EditorChip } from '../../protocol/panel/panel-messages.ts';
import { Disposable } from '../base/disposable.ts';
import type { WorkspaceState } from '../base/workspace.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import { changesSettings, includesEditor } from '../settings.ts';
import { RecentFiles } from './recent-files.ts';

const KEY = 'gantry.includeOpenEditor';

/** The selection changes with every key, so the chip is updated after a delay, as in Gemini CLI's companion. */
const DEBOUNCE_MS = 50;

/** Whether the open editors are sent with messages, and what would be sent now. */
export class OpenEditorContext extends Disposable {
  private readonly changed = this.register(new vscode.EventEmitter<void>());
  private readonly recent = this.register(new RecentFiles());
  private timer: NodeJS.Timeout | undefined;
  private following: vscode.Disposable | undefined;
  /** Counts requests: only the last one takes effect. */
  private asked = 0;
  private current: EditorChip | undefined;

  readonly onDidChange = this.changed.event;

  constructor(
    private readonly state: WorkspaceState,
    private readonly runtime: RuntimeLoader,
    private readonly log: Logger,
  ) {
    super();
    this.register({ dispose: () => this.follow(false) });
  }

  /** The chip in the panel. Undefined if there is nothing to send, or if the setting is `never`. */
  get chip(): EditorChip | undefined {
    return this.current;
  }

  private get isIncluded(): boolean {
    return this.state.get(KEY) !== false;
  }

  /** Stores the choice for this workspace. */
  async include(included: boolean): Promise<void> {
    await this.state.update(KEY, included ? undefined : false);
    await this.refresh();
  }

  /** Follows the editors, but only while the panel is visible. */
  follow(visible: boolean): void {
    this.following?.dispose();
    clearTimeout(this.timer);
    this.timer = undefined;
    this.following = visible ? this.listen() : undefined;
    if (visible) void this.refresh();
  }

  /** Returns the part of a message about the open editors, without what the model already knows. */
  async parts(known: SentEditor['sections'] | undefined): Promise<readonly ContentPart[]> {
    if (!this.isIncluded || !includesEditor()) return [];
    try {
      const { messageContext } = await this.runtime.load();
      const part = messageContext.editorPart(await messageContext.editor(this.recent.paths), known);
      return part ? [part] : [];
    } catch (error) {
      this.log.error('The open editor could not be looked at, so the message goes without it', error);
      return [];
    }
  }

  private listen(): vscode.Disposable {
    const schedule = (): void => {
      this.timer ??= setTimeout(() => {
        this.timer = undefined;
        void this.refresh();
      }, DEBOUNCE_MS);
    };
    return vscode.Disposable.from(
      vscode.window.onDidChangeActiveTextEditor(schedule),
      vscode.window.onDidChangeTextEditorSelection(schedule),
      vscode.window.onDidChangeVisibleTextEditors(schedule),
      vscode.window.tabGroups.onDidChangeTabs(schedule),
      vscode.languages.onDidChangeDiagnostics(schedule),
      vscode.workspace.onDidChangeWorkspaceFolders(schedule),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (changesSettings(event)) schedule();
      }),
    );
  }

  private async refresh(): Promise<void> {
    const asked = ++this.asked;
    const chip = await this.look().catch((error: unknown) => {
      this.log.error('The open editor could not be looked at', error);
      return undefined;
    });
    if (asked !== this.asked || JSON.stringify(chip) === JSON.stringify(this.current)) return;
    this.current = chip;
    this.changed.fire();
  }

  private async look(): Promise<EditorChip | undefined> {
    if (!includesEditor()) return undefined;
    const { messageContext } = await this.runtime.load();
    const context = await messageContext.editor(this.recent.paths);
    return context && { label: context.label, summary: context.summary, included: this.isIncluded };
  }
}
