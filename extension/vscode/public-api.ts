import type { AgentProtocol } from '../protocol/agent-protocol.ts';
import { AgentSession } from '../protocol/agent-session.ts';
import type { SessionOptions } from '../runtime/session-parts.ts';
import type { RuntimeLoader } from './runtime-loader.ts';

/** What `getExtension('gantry.gantry').activate()` returns to other extensions. */
export interface GantryApi {
  readonly version: string;
  createSession(options?: SessionOptions): Promise<AgentSession>;
  resumeSession(id: string): Promise<AgentSession>;
}

/** The same service as the panel's, so the same tools, gates and trust. */
export function publicApi(version: string, runtime: Pick<RuntimeLoader, 'load'>): GantryApi {
  const given = new WeakMap<AgentSession, AgentSession>();
  const giveOut = (session: AgentSession): AgentSession => {
    const known = given.get(session) ?? new AgentSession(asApi(session));
    given.set(session, known);
    return known;
  };
  return {
    version,
    createSession: async (options) => giveOut(await (await runtime.load()).createSession(options)),
    resumeSession: async (id) => giveOut(await (await runtime.load()).resumeSession(id)),
  };
}

/** An answer from another extension is told apart from one that the user gave in the panel, whatever it says itself. */
function asApi(session: AgentSession): AgentProtocol {
  return {
    send: (payload) =>
      session.send('elicitations' in payload ? { ...payload, _meta: { ...payload._meta, source: 'api' } } : payload),
    subscribe: (listener) => session.subscribe(listener),
    abort: () => session.abort(),
    get events() {
      return session.events;
    },
  };
}
