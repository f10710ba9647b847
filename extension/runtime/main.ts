import type { Host } from '../ports/host.ts';
import { AgentService } from './agent-service.ts';

/** The entry of the runtime bundle: loaded on first use, because ADK and the SDK are most of the extension's weight. */
export function createAgentService(host: Host): AgentService {
  return new AgentService(host);
}
