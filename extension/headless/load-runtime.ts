import type { Host } from '../ports/host.ts';
import type { AgentService } from '../runtime/agent-service.ts';
import { runtimeMissing } from './problem-of.ts';

/** The one place that loads the runtime bundle: megabytes that `--help` and a mistyped flag do not have to wait for. */
export async function loadAgentService(host: Host): Promise<AgentService> {
  const { createAgentService } = await import('../runtime/main.ts').catch((cause: unknown) => {
    throw runtimeMissing(cause);
  });
  return createAgentService(host);
}
