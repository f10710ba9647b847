import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { version } from '../../../package.json';
import { McpServers } from '../../mcp/mcp-servers.ts';
import type { ServerSource } from '../../mcp/server-catalog.ts';
import { withoutOwnSecrets } from '../../model/auth/known-secrets.ts';
import type { SandboxClause } from '../../policy/sandbox-clause.ts';
import { realAlarm } from '../../ports/clock.ts';
import type { Host } from '../../ports/host.ts';
import type { Confinement } from '../../ports/shell.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

/** Confines a program that a file of the project starts. Rejects if a required sandbox is not available. */
export type ConfineProgram = (clause: SandboxClause | undefined) => Promise<Confinement | undefined>;

/** Confinement for hooks, which end soon. */
export function hookConfinement(host: Host, sandbox: Sandbox): ConfineProgram {
  return (clause) => confine(host, sandbox, clause);
}

/** Confinement for MCP servers, which keep running. Their packages are cached, because fetching them takes seconds. */
export function serverConfinement(host: Host, sandbox: Sandbox): ConfineProgram {
  return (clause) => {
    const roots = createHash('sha256').update(JSON.stringify(host.workspace.roots())).digest('hex').slice(0, 16);
    const { folder } = host.sessions;
    const cache = folder === undefined ? undefined : join(folder, '..', 'sandbox-cache', roots);
    return confine(host, sandbox, clause, { stays: true, ...(cache !== undefined && { cache }) });
  };
}

async function confine(
  host: Host,
  sandbox: Sandbox,
  clause: SandboxClause | undefined,
  more: { readonly stays?: boolean; readonly cache?: string } = {},
): Promise<Confinement | undefined> {
  const support = await sandbox.wanted();
  if (support === undefined) return undefined;
  const isRequired = host.settings.sandbox?.().mode === 'required';
  // First, because it stays true after the sandbox's package is installed.
  if (clause === false) {
    if (isRequired) throw new Error('It would run outside the sandbox, and "gantry.sandbox.mode" is "required".');
    return undefined;
  }
  if ('missing' in support) {
    if (isRequired) throw new Error(support.missing);
    return undefined;
  }
  const roots = host.workspace.roots();
  const { network, folders = [] } = clause ?? {};
  return sandbox.confine({
    roots,
    readOnly: false,
    folders: folders.map((folder) => resolve(roots[0] ?? homedir(), folder.replace(/^~(?=\/|$)/, homedir()))),
    ...(network ? { hosts: network } : { openNetwork: true }),
    ...more,
  });
}

/** The environment for child processes, without the variables that Gantry's settings name for secrets. */
export function childEnvironment({
  environment,
  settings,
}: Pick<Host, 'environment' | 'settings'>): Host['environment'] {
  return withoutOwnSecrets(environment, settings.auth?.(), settings.telemetry?.());
}

/** Creates the servers that a source defines, with the environment of this window. */
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
