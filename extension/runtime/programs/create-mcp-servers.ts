import { homedir } from 'node:os';
import { version } from '../../../package.json';
import { McpServers } from '../../mcp/mcp-servers.ts';
import type { ServerSource } from '../../mcp/server-catalog.ts';
import { realAlarm } from '../../ports/clock.ts';
import type { Host } from '../../ports/host.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { childEnvironment, serverConfinement } from './project-programs.ts';

/** The servers that a source names, in the surroundings of this window. */
export function createMcpServers(
  host: Host,
  sandbox: Sandbox,
  catalog: ServerSource,
  isDisabled: (name: string) => boolean = () => false,
): McpServers {
  const { workspace, environment, secrets, clock, log } = host;
  return new McpServers({
    catalog,
    log,
    version,
    environment: () => environment,
    childEnvironment: () => childEnvironment(host),
    home: homedir(),
    roots: () => workspace.roots(),
    now: () => clock.now(),
    alarm: (ms, ring) => (clock.alarm ?? realAlarm)(ms, ring),
    isDisabled,
    confine: serverConfinement(host, sandbox),
    ...(secrets.mcpLogins && { logins: secrets.mcpLogins }),
  });
}
