import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AgentService } from '../../extension/runtime/agent-service.ts';
import type { createAgentService } from '../../extension/runtime/main.ts';
import { repoRoot } from '../support/repo.ts';
import { testHost } from '../support/test-host.ts';

export const MODEL = 'gemini-2.5-flash';

/** The bundle that users have, with their sessions stored as theirs are. */
export function productionRuntime(options: {
  readonly url: string;
  readonly workspace: string;
  readonly sessions: string;
  /** The receiver of telemetry. Empty for none. */
  readonly otlp?: string;
  /** Whether requests are sent as the command line does. */
  readonly connectsDirectly?: boolean;
}): AgentService {
  const require = createRequire(import.meta.url);
  const runtime: { createAgentService: typeof createAgentService } = require(join(repoRoot, 'dist/runtime.js'));
  const environment = { GOOGLE_GEMINI_BASE_URL: options.url, GEMINI_API_KEY: 'test-key' };
  const { workspace, sessions, otlp: endpoint = '', connectsDirectly = false } = options;
  // Nobody to make a title for, and no snapshot before the window is full: each would be a request more than the other loop sends.
  const alike = { interactive: false, compressionThreshold: 1, sendsEnvironment: true };
  const host = testHost({
    roots: [workspace],
    environment,
    modelName: MODEL,
    sessions,
    telemetry: { endpoint },
    ...alike,
  });
  // The tests' own log keeps every line, which would count as memory.
  return runtime.createAgentService({ ...host, connectsDirectly, log: { ...host.log, info: () => undefined } });
}
