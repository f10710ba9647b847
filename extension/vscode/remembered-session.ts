import { setTimeout as delay } from 'node:timers/promises';
import type { AgentSession } from '../protocol/agent-session.ts';
import type { AgentService } from '../runtime/agent-service.ts';

const KEY = 'gantry.shownSession';
const UNFINISHED_KEY = 'gantry.shownSessionUnfinished';

/** VS Code's memory for a workspace, as far as it is used here. */
export interface WorkspaceState {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** Which session this window showed, for the time after a reload. */
export class RememberedSession {
  constructor(private readonly state: WorkspaceState) {}

  get id(): string | undefined {
    const id = this.state.get(KEY);
    return typeof id === 'string' ? id : undefined;
  }

  async remember(id: string | undefined): Promise<void> {
    if (id !== this.id) await this.state.update(KEY, id);
  }

  /** Whether the user has to know of it even if they do not open the panel. */
  get isUnfinished(): boolean {
    return this.state.get(UNFINISHED_KEY) === true;
  }

  async rememberUnfinished(isUnfinished: boolean): Promise<void> {
    if (isUnfinished !== this.isUnfinished) await this.state.update(UNFINISHED_KEY, isUnfinished || undefined);
  }
}

const LOOKS = 5;
const LOOK_EVERY = 400;

/** The window before a reload may still be closing; it takes a moment until it lets go of its session. */
export async function openWhenFree(service: AgentService, id: string): Promise<AgentSession> {
  for (let look = 1; look < LOOKS; look++) {
    const session = await service.resumeSession(id);
    if (service.holderOf(id) === undefined) return session;
    await service.closeSession(id);
    await delay(LOOK_EVERY);
  }
  return service.resumeSession(id);
}
