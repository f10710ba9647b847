import { createHash } from 'node:crypto';
import { errorText } from '../base/errors.ts';
import type { McpLoginStore } from '../ports/host.ts';
import type { Logger } from '../ports/logger.ts';
import type { Confinement } from '../ports/shell.ts';
import { commandEnvironment } from '../processes/shell/clean-environment.ts';
import type { ConnectionPorts, Opened, SignInBrowser, SignInPort } from './connection-types.ts';
import { expandVariables, type VariablePlaces } from './expand-variables.ts';
import type { ConfiguredServer } from './server-catalog.ts';
import { type McpServerDefinition, mapReach, type ServerReach } from './server-definition.ts';

export interface OpeningPorts {
  readonly log: Logger;
  readonly version: string;
  /** The environment of this process, for variables in definitions. */
  readonly environment: () => Readonly<Record<string, string | undefined>>;
  /** The environment that started programs may get at most. */
  readonly childEnvironment: () => Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly roots: () => readonly string[];
  /** Confines programs of a project. Rejects with the reason why a program can't be started. */
  readonly confine?: (clause: McpServerDefinition['sandbox']) => Promise<Confinement | undefined>;
  /** Absent if signing in isn't possible. */
  readonly logins?: McpLoginStore;
}

/** Starts or connects to a server. The SDK is loaded with the first server. */
export async function openServer(
  server: ConfiguredServer,
  listeners: Pick<ConnectionPorts, 'ask' | 'changed' | 'closed' | 'confused'>,
  options: { readonly signal: AbortSignal; readonly timeoutMs: number },
  ports: OpeningPorts,
): Promise<Opened> {
  try {
    const { openConnection } = await import('./connection.ts');
    const root = server.origin.root ?? ports.roots()[0];
    const reach = expandedReach(server, { environment: variablesFor(server, ports), home: ports.home, root });
    return await openConnection(
      { name: server.name, reach, ...options },
      {
        ...listeners,
        log: ports.log,
        version: ports.version,
        environment: commandEnvironment(ports.childEnvironment()),
        roots: ports.roots,
        folder: root ?? ports.home,
        signIn: signInPort(server, reach, ports.logins),
        confinement: isConfined(server) ? await ports.confine?.(server.sandbox) : undefined,
      },
    );
  } catch (error) {
    return { failed: { kind: 'error', message: errorText(error) } };
  }
}

/** Only programs of a project are confined. The user configured or installed all others. */
function isConfined({ origin, reach }: ConfiguredServer): boolean {
  return origin.scope === 'project' && reach.kind === 'stdio';
}

export function expandedReach(
  { reach, isLiteral }: Pick<McpServerDefinition, 'reach' | 'isLiteral'>,
  places: VariablePlaces,
): ServerReach {
  return isLiteral ? reach : mapReach(reach, (text) => expandVariables(text, places));
}

/** Variables for a server. A project's server only gets those that a command would have anyway, and never our keys. */
export function variablesFor(
  { origin }: Pick<McpServerDefinition, 'origin'>,
  ports: Pick<OpeningPorts, 'environment' | 'childEnvironment'>,
): VariablePlaces['environment'] {
  return origin.scope === 'project' ? commandEnvironment(ports.childEnvironment()) : ports.environment();
}

/** A login is only valid for one address: a server of the same name at another address doesn't get it. */
export function signInPort(
  { name, login }: Pick<McpServerDefinition, 'name' | 'login'>,
  reach: ServerReach,
  store: McpLoginStore | undefined,
  browser?: SignInBrowser,
): SignInPort | undefined {
  if (reach.kind === 'stdio' || !store) return undefined;
  const key = createHash('sha256')
    .update(JSON.stringify([name, reach.url]))
    .digest('hex');
  return { store, key, ...login, ...(browser && { browser }) };
}
