import { setTimeout as delay } from 'node:timers/promises';
import type { AgentSession } from '../../protocol/agent/agent-session.ts';
import type { AgentService } from '../../runtime/agent-service.ts';
import type { WorkspaceState } from '../base/workspace.ts';

const KEY = 'gantry.shownSession';
const BACKGROUND_KEY = 'gantry.backgroundSessions';
const PROCESS_KEY = 'gantry.windowProcess';
const UNFINISHED_KEY = 'gantry.shownSessionUnfinished';

/** Stores which session this window showed, so that it can be restored after a reload. */
export class RememberedSession {
  constructor(private readonly state: WorkspaceState) {}

  get id(): string | undefined {
    const id = this.state.get(KEY);
    return typeof id === 'string' ? id : undefined;
  }

  async remember(id: string | undefined): Promise<void> {
    if (id !== this.id) await this.state.update(KEY, id);
  }

  /** Whether the user needs to know about the session even if the panel stays closed. */
  get isUnfinished(): boolean {
    return this.state.get(UNFINISHED_KEY) === true;
  }

  async rememberUnfinished(isUnfinished: boolean): Promise<void> {
    if (isUnfinished !== this.isUnfinished) await this.state.update(UNFINISHED_KEY, isUnfinished || undefined);
  }

  /** The sessions that ran in the background. */
  get background(): readonly string[] {
    const ids = this.state.get(BACKGROUND_KEY);
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  }

  async rememberBackground(ids: readonly string[]): Promise<void> {
    if (JSON.stringify(ids) === JSON.stringify(this.background)) return;
    await this.state.update(BACKGROUND_KEY, ids.length > 0 ? [...ids] : undefined);
  }

  /** The extension host of this window before it was reloaded. It may still be closing its sessions. */
  get processBefore(): number | undefined {
    const pid = this.state.get(PROCESS_KEY);
    return typeof pid === 'number' ? pid : undefined;
  }

  async rememberProcess(pid: number): Promise<void> {
    await this.state.update(PROCESS_KEY, pid);
  }
}

const LOOKS = 5;
const LOOK_EVERY = 400;

/** Retries, because the window may still be closing its session after a reload. */
export async function openWhenFree(service: AgentService, id: string): Promise<AgentSession> {
  for (let look = 1; look < LOOKS; look++) {
    const session = await service.resumeSession(id);
    if (service.holderOf(id) === undefined) return session;
    await service.closeSession(id);
    await delay(LOOK_EVERY);
  }
  return service.resumeSession(id);
}
