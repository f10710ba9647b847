import type { AgentSession } from '../../protocol/agent/agent-session.ts';
import { ProblemError } from '../../protocol/agent/problem.ts';
import type { SessionItem } from '../../protocol/panel/sheets-to-panel.ts';
import type { AgentService } from '../../runtime/agent-service.ts';
import type { SessionOptions } from '../../runtime/session-parts.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import type { PanelSession } from '../session/panel-session.ts';

/** Sessions that VS Code's own chat works in: stored like all others, and shown in the panel when somebody has to answer. */
export class ChatSessions {
  constructor(
    private readonly runtime: Pick<RuntimeLoader, 'load'>,
    private readonly panel: Pick<PanelSession, 'id' | 'show' | 'keepOpen'>,
  ) {}

  /** Works in the session of this id, or in a new one, which stays open for as long as that takes. */
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
      const used = sessionIdOf(session);
      if (used !== undefined && used !== this.panel.id) await service.closeSession(used);
    }
  }

  /** Shows it in the panel. What runs there now continues without being shown. */
  async show(id: string): Promise<void> {
    if (this.panel.id !== id) await this.panel.show((service) => service.resumeSession(id));
  }

  /** One of the listed sessions as text, without secrets; or the list. */
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

/** Known with its first event. */
export function sessionIdOf({ events }: AgentSession): string | undefined {
  const [first] = events;
  return first?.type === 'initialize' ? first.sessionId : undefined;
}

/** One that is gone, or that another window holds, cannot continue here. */
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
