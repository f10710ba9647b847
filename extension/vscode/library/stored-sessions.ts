import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { canonicalFolder } from '../../files/real-path.ts';
import type { Logger } from '../../ports/logger.ts';
import type { WorkspacePort } from '../../ports/workspace.ts';
import type { AgentSession } from '../../protocol/agent/agent-session.ts';
import type { SessionHit, SessionItem } from '../../protocol/panel/sheets-to-panel.ts';
import type { AgentService } from '../../runtime/agent-service.ts';
import type { SessionLibrary } from '../../runtime/library/session-library.ts';
import { Disposable } from '../base/disposable.ts';
import { withoutLinks } from '../base/escape-ui-text.ts';
import { reportFailure } from '../base/report.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import type { PanelSession } from '../session/panel-session.ts';
import { type ArrangedSessions, arrangeSessions, sessionItems, sessionTitle } from './session-items.ts';

/** Manages the sessions on disk, including the one that is shown. */
export class StoredSessions extends Disposable {
  private readonly changed = this.register(new vscode.EventEmitter<void>());
  readonly onDidChange = this.changed.event;
  /** When sessions were last in the panel. */
  private readonly seen = new Map<string, number>();
  private searches = 0;

  constructor(
    /** The folder where Gantry is installed. */
    private readonly extension: vscode.Uri,
    private readonly runtime: RuntimeLoader,
    private readonly session: PanelSession,
    private readonly workspace: WorkspacePort,
    private readonly log: Logger,
    /** Sessions that these processes hold are not held by another window. */
    private readonly ownProcesses: ReadonlySet<number> = new Set([process.pid]),
  ) {
    super();
    this.register(session.onDidLeave((id) => this.seen.set(id, Date.now())));
    // A command that ends does not count as a new answer.
    this.register(session.background.onDidCloseIdle((id) => this.seen.set(id, Date.now())));
    this.register(session.background.onDidChange(() => this.changed.fire()));
  }

  async list(): Promise<ArrangedSessions> {
    return arrangeSessions(await (await this.library()).list(), this.workspace.roots().map(canonicalFolder));
  }

  async items(): Promise<SessionItem[]> {
    const service = await this.runtime.load();
    const library = await this.library();
    return sessionItems(await this.list(), {
      current: this.session.id,
      activityOf: (id) => service.activityOf(id),
      isHeld: (id) =>
        service.isOpen(id) ? service.holderOf(id) !== undefined : library.isHeldByOthers(id, this.ownProcesses),
      lastSeen: (id) => this.seen.get(id),
    });
  }

  /** Searches sessions for words, the newest first. Stops early if another search has started. */
  async find(query: string): Promise<SessionHit[]> {
    const search = ++this.searches;
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const library = await this.library();
    const hits: SessionHit[] = [];
    if (words.length === 0) return hits;
    for (const { id } of (await library.list()).slice(0, MOST_SEARCHED)) {
      if (search !== this.searches || hits.length >= MOST_HITS) break;
      const hit = await library.find(id, words);
      if (hit) hits.push({ id, ...hit });
    }
    return hits;
  }

  /** Exports a session to a file that the user chooses. */
  async export(id: string): Promise<void> {
    const { exportSession } = await import('../replay/export-flow.ts');
    await exportSession(id, await this.titleOf(id), { runtime: this.runtime, extension: this.extension });
  }

  async rename(id: string, title: string): Promise<void> {
    await this.inSession(id, (session) => session.send({ update: { title } }));
  }

  async pin(id: string, pinned: boolean): Promise<void> {
    await this.inSession(id, (_session, service) => service.pin(id, pinned));
  }

  /** Makes an independent copy that continues from the current state. */
  copy(id: string): Promise<void> {
    return this.copyWith(id, () => undefined);
  }

  /** Saves a pinned copy with a name, so that the user can return to this state. */
  save(id: string, title: string): Promise<void> {
    return this.copyWith(id, async (copy, service, copyId) => {
      await copy.send({ update: { title } });
      service.pin(copyId, true);
    });
  }

  /** Moves a session to the trash without a notification, because another one replaces it. */
  async discard(id: string): Promise<void> {
    await (await this.library()).delete(id);
    this.changed.fire();
  }

  /** Moves a session to the trash. Returns when it is there. The offer to undo stays visible for a while. */
  async delete(id: string): Promise<void> {
    const library = await this.library();
    const title = await this.titleOf(id);
    const wasShown = id === this.session.id && this.session.heldBy === undefined;
    if (wasShown) {
      await this.session.stop();
      await this.session.startNew();
    }
    await this.session.background.close(id);
    try {
      await library.delete(id);
    } catch (error) {
      if (wasShown) await this.session.resume(id);
      throw error;
    }
    this.changed.fire();
    this.offerUndo(id, title, wasShown).catch((error: unknown) =>
      reportFailure('Restoring a session', error, this.log),
    );
  }

  private async copyWith(
    id: string,
    act: (copy: AgentSession, service: AgentService, copyId: string) => Promise<void> | void,
  ): Promise<void> {
    const service = await this.runtime.load();
    const copy = await service.forkSession(id);
    const [first] = copy.events;
    if (first?.type !== 'initialize') return;
    try {
      await act(copy, service, first.sessionId);
    } finally {
      await service.closeSession(first.sessionId);
    }
    this.changed.fire();
  }

  private async offerUndo(id: string, title: string, wasShown: boolean): Promise<void> {
    const undo = l10n.t('Undo');
    const choice = await vscode.window.showInformationMessage(
      withoutLinks(l10n.t('"{0}" was moved to the trash.', title)),
      undo,
    );
    if (choice !== undo) return;
    await (await this.library()).restore(id);
    if (wasShown && !this.session.hasConversation) await this.session.resume(id);
    this.changed.fire();
  }

  /** Runs an action in a session. Closes it afterwards unless it was open, so that other windows can open it. */
  private async inSession(
    id: string,
    act: (session: AgentSession, service: AgentService) => Promise<unknown> | unknown,
  ): Promise<void> {
    const service = await this.runtime.load();
    const wasOpen = service.isOpen(id);
    const session = await service.resumeSession(id);
    try {
      const holder = service.holderOf(id);
      if (holder !== undefined)
        throw new Error(l10n.t('This session is open in {0}. Nothing was changed. Change it there.', holder));
      await act(session, service);
    } finally {
      // The user may have opened the session in the panel meanwhile.
      if (!wasOpen && id !== this.session.id) await service.closeSession(id);
    }
    // The user who changed the session does not need a news tag for it.
    if (this.seen.has(id)) this.seen.set(id, Date.now());
    this.changed.fire();
  }

  private async titleOf(id: string): Promise<string> {
    const { here, elsewhere } = await this.list();
    const summary = [...here, ...elsewhere].find((session) => session.id === id);
    return summary ? sessionTitle(summary) : l10n.t('The session');
  }

  private async library(): Promise<SessionLibrary> {
    const { library } = await this.runtime.load();
    if (!library) throw new Error(l10n.t('Sessions are not stored here.'));
    return library;
  }
}

/** Users with more hits than this would rather refine the query. */
const MOST_HITS = 50;

/** Reading this many logs takes a second or two. */
const MOST_SEARCHED = 1000;
