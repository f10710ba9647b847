import { ProblemError } from '../protocol/problem.ts';
import type { AgentService } from '../runtime/agent-service.ts';
import type { Host } from '../runtime/host.ts';

/** The one place that loads the runtime bundle: megabytes that `--help` and a mistyped flag do not have to wait for. */
export async function loadAgentService(host: Host): Promise<AgentService> {
  const { createAgentService } = await import('../runtime/main.ts').catch((cause: unknown) => {
    throw new ProblemError(
      {
        kind: 'runtime-missing',
        title: 'Gantry is not complete',
        detail:
          'runtime.js beside headless.js could not be loaded. Install Gantry again, or build it with "npm run build".',
        actions: [],
      },
      { cause },
    );
  });
  return createAgentService(host);
}
