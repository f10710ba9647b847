import type { Host } from '../ports/host.ts';
import type { AgentService } from '../runtime/agent-service.ts';
import { runtimeMissing } from './problem-of.ts';

/** The only place that loads the runtime bundle. It has megabytes, which `--help` and invalid flags don't need. */
export async function loadAgentService(host: Host): Promise<AgentService> {
  const { createAgentService } = await import('../runtime/main.ts').catch((cause: unknown) => {
    throw runtimeMissing(cause);
  });
  return createAgentService(host);
}
