import * as vscode from 'vscode';
import { canonicalFolder } from '../policy/canonical-folder.ts';
import type { AgentSession } from '../protocol/agent-session.ts';
import type { SessionItem } from '../protocol/panel-messages.ts';
import type { AgentService } from '../runtime/agent-service.ts';
import type { Logger, WorkspacePort } from '../runtime/host.ts';
import type { SessionLibrary } from '../runtime/session-library.ts';
import { Disposable } from './disposable.ts';
import type { PanelSession } from './panel-session.ts';
import { withoutLinks } from './plain-words.ts';
import { reportFailure } from './report.ts';
import type { RuntimeLoader } from './runtime-loader.ts';
import { type ArrangedSessions, arrangeSessions, sessionItems, sessionTitle } from './session-items.ts';

/** The sessions on disk, as the user keeps them in order: whether or not one of them is the one shown. */
export class StoredSessions extends Disposable {
  private readonly changed = this.register(new vscode.EventEmitter<void>());
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly runtime: RuntimeLoader,
    private readonly session: PanelSession,
    private readonly workspace: WorkspacePort,
    private readonly log: Logger,
  ) {
    super();
  }

  async list(): Promise<ArrangedSessions> {
    return arrangeSessions(await (await this.library()).list(), this.workspace.roots().map(canonicalFolder));
  }

  async items(): Promise<SessionItem[]> {
    return sessionItems(await this.list(), this.session.id);
  }

  async rename(id: string, title: string): Promise<void> {
    await this.inSession(id, (session) => session.send({ update: { title } }));
  }

  async pin(id: string, pinned: boolean): Promise<void> {
    await this.inSession(id, (_session, service) => service.pin(id, pinned));
  }

  /** A copy of its own that goes on from where this one is now. */
  async copy(id: string): Promise<void> {
    const service = await this.runtime.load();
    const [first] = (await service.forkSession(id)).events;
    if (first?.type === 'initialize') await service.closeSession(first.sessionId);
    this.changed.fire();
  }

  /** To the trash. Returns when it is there; the offer to undo it stays on the screen for a while. */
  async delete(id: string): Promise<void> {
    const library = await this.library();
    const title = await this.titleOf(id);
    const wasShown = id === this.session.id && this.session.heldBy === undefined;
    if (wasShown) await this.session.startNew();
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

  private async offerUndo(id: string, title: string, wasShown: boolean): Promise<void> {
    const undo = 'Undo';
    const choice = await vscode.window.showInformationMessage(withoutLinks(`“${title}” deleted.`), undo);
    if (choice !== undo) return;
    await (await this.library()).restore(id);
    if (wasShown && !this.session.hasConversation) await this.session.resume(id);
    this.changed.fire();
  }

  /** One that is not open is opened for it and closed again, so that other windows can have it. */
  private async inSession(
    id: string,
    act: (session: AgentSession, service: AgentService) => Promise<unknown> | unknown,
  ): Promise<void> {
    const service = await this.runtime.load();
    const wasOpen = service.isOpen(id);
    const session = await service.resumeSession(id);
    try {
      const holder = service.holderOf(id);
      if (holder !== undefined) throw new Error(`This session is open in ${holder}. Nothing was changed; do it there.`);
      await act(session, service);
    } finally {
      // The user may have gone on with it meanwhile.
      if (!wasOpen && id !== this.session.id) await service.closeSession(id);
    }
    this.changed.fire();
  }

  private async titleOf(id: string): Promise<string> {
    const { here, elsewhere } = await this.list();
    const summary = [...here, ...elsewhere].find((session) => session.id === id);
    return summary ? sessionTitle(summary) : 'The session';
  }

  private async library(): Promise<SessionLibrary> {
    const { library } = await this.runtime.load();
    if (!library) throw new Error('Sessions are not kept here.');
    return library;
  }
}
