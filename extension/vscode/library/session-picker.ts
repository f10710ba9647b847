import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Logger } from '../../ports/logger.ts';
import { timeAgo } from '../../protocol/words/numbers.ts';
import type { AgentService } from '../../runtime/agent-service.ts';
import type { SessionSummary } from '../../sessions/store/session-summary.ts';
import { withoutIcons } from '../base/escape-ui-text.ts';
import { reportFailure } from '../base/report.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import type { PanelSession } from '../session/panel-session.ts';
import { folderName, messageCount, origins, sessionTitle } from './session-items.ts';
import type { StoredSessions } from './stored-sessions.ts';

type Recording = Awaited<ReturnType<AgentService['geminiRecordings']>>[number];

interface SessionChoice extends vscode.QuickPickItem {
  readonly summary: SessionSummary;
}
interface RecordingChoice extends vscode.QuickPickItem {
  readonly recording: Recording;
}
type Choice = SessionChoice | RecordingChoice | vscode.QuickPickItem;

/** The list of "Resume Session…". It stays open while sessions are renamed, pinned, copied and deleted. */
export class SessionPicker {
  private readonly pick = vscode.window.createQuickPick<Choice>();
  private recordings: readonly Recording[] = [];
  /** Whether another input covers the list. The list returns after it. */
  private covered = false;

  private readonly buttons = {
    rename: button('edit', l10n.t('Rename')),
    pin: button('pin', l10n.t('Pin')),
    unpin: button('pinned', l10n.t('Unpin')),
    copy: button('repo-forked', l10n.t('Make a Copy')),
    delete: button('trash', l10n.t('Delete')),
  };

  private readonly actions = new Map<vscode.QuickInputButton, (summary: SessionSummary) => Promise<void>>([
    [this.buttons.rename, (summary) => this.rename(summary)],
    [this.buttons.pin, ({ id }) => this.sessions.pin(id, true)],
    [this.buttons.unpin, ({ id }) => this.sessions.pin(id, false)],
    [this.buttons.copy, ({ id }) => this.sessions.copy(id)],
    [this.buttons.delete, ({ id }) => this.sessions.delete(id)],
  ]);

  constructor(
    private readonly sessions: StoredSessions,
    private readonly session: PanelSession,
    private readonly runtime: RuntimeLoader,
    private readonly log: Logger,
  ) {
    this.pick.title = l10n.t('Gantry: Resume Session');
    this.pick.placeholder = l10n.t('Choose a session to continue');
    this.pick.matchOnDescription = true;
  }

  /** Resolves when the list is closed. Returns whether the user chose a session, which is shown by then. */
  async open(): Promise<boolean> {
    const closed = new Promise<void>((resolve) => {
      this.pick.onDidHide(() => {
        if (!this.covered) resolve();
      });
    });
    const listening = this.sessions.onDidChange(() => void this.trying('Listing sessions', () => this.refresh()));
    this.pick.onDidTriggerItemButton((pressed) => void this.press(pressed));
    let chosen: Choice | undefined;
    this.pick.onDidAccept(() => {
      [chosen] = this.pick.selectedItems;
      this.pick.hide();
    });
    this.pick.busy = true;
    this.pick.show();
    try {
      this.recordings = await (await this.runtime.load()).geminiRecordings();
      await this.refresh();
      this.pick.busy = false;
      await closed;
    } finally {
      listening.dispose();
      this.pick.dispose();
    }
    if (chosen) await this.show(chosen);
    return chosen !== undefined;
  }

  private async rename(summary: SessionSummary): Promise<void> {
    this.covered = true;
    const title = await vscode.window.showInputBox({
      title: l10n.t('Gantry: Rename Session'),
      value: sessionTitle(summary),
      validateInput: (value) => (value.trim() === '' ? l10n.t('A title needs at least one character.') : undefined),
    });
    this.covered = false;
    this.pick.show();
    if (title !== undefined) await this.sessions.rename(summary.id, title);
  }

  private async show(choice: Choice): Promise<void> {
    if ('summary' in choice) await this.session.resume(choice.summary.id);
    if ('recording' in choice) {
      const { path } = choice.recording;
      await this.session.show((service) => service.importRecording(path));
    }
  }

  private async press({ button: pressed, item }: vscode.QuickPickItemButtonEvent<Choice>): Promise<void> {
    const act = this.actions.get(pressed);
    if (act && 'summary' in item) await this.trying(`"${pressed.tooltip}"`, () => act(item.summary));
  }

  private async trying(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      await reportFailure(what, error, this.log);
    }
  }

  private async refresh(): Promise<void> {
    const sessions = await this.sessions.list();
    const now = Date.now();
    const originOf = origins(sessions);
    const choiceOf = (summary: SessionSummary, folder?: string): SessionChoice => {
      const origin = originOf(summary);
      const fork = origin === undefined ? undefined : l10n.t('fork of {0}', origin);
      return this.sessionChoice(summary, now, [folder, fork]);
    };
    const others = sessions.elsewhere.map((summary) => choiceOf(summary, folderName(summary.workspace)));
    const recorded = this.recordings.map((recording) => recordingChoice(recording, now));
    this.pick.items = [
      ...sessions.here.map((summary) => choiceOf(summary)),
      ...below(l10n.t('Other folders'), others),
      ...below(l10n.t('From Gemini CLI'), recorded),
    ];
    if (this.pick.items.length === 0) this.pick.placeholder = l10n.t('No sessions yet');
  }

  private sessionChoice(summary: SessionSummary, now: number, whence: readonly (string | undefined)[]): SessionChoice {
    const { id, updatedAt, messages, pinned, problem } = summary;
    const { rename, pin, unpin, copy } = this.buttons;
    const facts = [
      timeAgo(updatedAt, now),
      messageCount(messages),
      id === this.session.id && l10n.t('open'),
      ...whence,
    ];
    return {
      label: `${pinned ? '$(pinned) ' : ''}${problem === undefined ? '' : '$(warning) '}${withoutIcons(sessionTitle(summary))}`,
      description: withoutIcons(facts.filter(Boolean).join(' · ')),
      ...(problem !== undefined && { detail: problem }),
      // A session that cannot be read can still be deleted.
      buttons:
        problem === undefined ? [rename, pinned ? unpin : pin, copy, this.buttons.delete] : [this.buttons.delete],
      summary,
    };
  }
}

function button(icon: string, tooltip: string): vscode.QuickInputButton {
  return { iconPath: new vscode.ThemeIcon(icon), tooltip };
}

function recordingChoice(recording: Recording, now: number): RecordingChoice {
  const { firstWords, startedAt, messages } = recording;
  const description = [timeAgo(Date.parse(startedAt), now), messageCount(messages)].join(' · ');
  return { label: withoutIcons(firstWords) || l10n.t('Untitled session'), description, recording };
}

function below(label: string, items: readonly Choice[]): Choice[] {
  return items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}
