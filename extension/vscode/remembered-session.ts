import { setTimeout as delay } from 'node:timers/promises';
import type { AgentSession } from '../protocol/agent-session.ts';
import type { AgentService } from '../runtime/agent-service.ts';

const KEY = 'gantry.shownSession';
const ASKS_KEY = 'gantry.shownSessionAsks';

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

  /** Whether it had a question for the user. */
  get asks(): boolean {
    return this.state.get(ASKS_KEY) === true;
  }

  async rememberAsking(asks: boolean): Promise<void> {
    if (asks !== this.asks) await this.state.update(ASKS_KEY, asks || undefined);
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
