import type { AgentSession } from '../../protocol/agent/agent-session.ts';
import { ProblemError } from '../../protocol/agent/problem.ts';
import type { SessionItem } from '../../protocol/panel/sheets-to-panel.ts';
import type { AgentService } from '../../runtime/agent-service.ts';
import type { SessionOptions } from '../../runtime/session-parts.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import type { PanelSession } from '../session/panel-session.ts';

/** Sessions for VS Code's own chat. They are stored like all others, and the panel shows one if it asks a question. */
export class ChatSessions {
  constructor(
    private readonly runtime: Pick<RuntimeLoader, 'load'>,
    private readonly panel: Pick<PanelSession, 'id' | 'show' | 'keepOpen' | 'isUsed'>,
  ) {}

  /** Runs work in the session with this id, or in a new one, and keeps the session open until the work is done. */
  async within<T>(
    id: string | undefined,
    options: SessionOptions,
    work: (session: AgentSession) => Promise<T>,
  ): Promise<T> {
    const service = await this.runtime.load();
    const session = (await resumed(service, id)) ?? (await service.createSession(options));
    const release = this.panel.keepOpen(session);
    try {
      return await work(session);
    } finally {
      release();
      if (!this.panel.isUsed(session)) await service.closeSession(session.id);
    }
  }

  /** Shows a session in the panel. The session shown before continues in the background. */
  async show(id: string): Promise<void> {
    if (this.panel.id !== id) await this.panel.show((service) => service.resumeSession(id));
  }

  /** Exports one of the listed sessions as text without secrets. Without an id, returns the list. */
  async read(id: string | undefined, listed: readonly SessionItem[]): Promise<string> {
    const { library } = await this.runtime.load();
    const here = listed.filter(({ elsewhere }) => elsewhere === undefined);
    if (id !== undefined) {
      if (!library || !here.some((session) => session.id === id)) throw new Error('There is no such session here.');
      return library.export(id, 'markdown');
    }
    const lines = here.map((session) => {
      return `- ${new Date(session.updatedAt).toISOString()} ${session.title} (id ${session.id})`;
    });
    return lines.length === 0 ? 'There are no sessions of this workspace yet.' : lines.join('\n');
  }
}

/** The id is known from the first event on. */
export function sessionIdOf({ events }: AgentSession): string | undefined {
  const [first] = events;
  return first?.type === 'initialize' ? first.sessionId : undefined;
}

/** Returns undefined for a session that no longer exists or that another window holds. */
async function resumed(service: AgentService, id: string | undefined): Promise<AgentSession | undefined> {
  if (id === undefined) return undefined;
  try {
    const session = await service.resumeSession(id);
    if (service.holderOf(id) === undefined) return session;
    await service.closeSession(id);
  } catch (error) {
    if (!ProblemError.is(error)) throw error;
  }
  return undefined;
}
