import type { Host } from '../ports/host.ts';
import { AgentService } from './agent-service.ts';

/**
 * The entry point of the runtime bundle. It is loaded on first use, because ADK and the SDK are most of the extension's
 * size.
 */
export function createAgentService(host: Host): AgentService {
  return new AgentService(host);
}
