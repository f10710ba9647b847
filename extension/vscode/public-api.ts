import type { AgentSession } from '../protocol/agent-session.ts';
import type { SessionOptions } from '../runtime/session-parts.ts';
import type { RuntimeLoader } from './runtime-loader.ts';

/** What `getExtension('gantry.gantry').activate()` returns to other extensions. */
export interface GantryApi {
  readonly version: string;
  createSession(options?: SessionOptions): Promise<AgentSession>;
  resumeSession(id: string): Promise<AgentSession>;
}

/** The same service as the panel's, so the same tools, gates and trust. */
export function publicApi(version: string, runtime: RuntimeLoader): GantryApi {
  return {
    version,
    createSession: async (options) => (await runtime.load()).createSession(options),
    resumeSession: async (id) => (await runtime.load()).resumeSession(id),
  };
}
