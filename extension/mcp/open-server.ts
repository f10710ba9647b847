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
  /** Of this process: what definitions name is looked up here. */
  readonly environment: () => Readonly<Record<string, string | undefined>>;
  /** What programs that are started may know at most. */
  readonly childEnvironment: () => Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly roots: () => readonly string[];
  /** For programs of a project. Rejects with why it cannot be started. */
  readonly confine?: (clause: McpServerDefinition['sandbox']) => Promise<Confinement | undefined>;
  /** Absent where nobody can sign in. */
  readonly logins?: McpLoginStore;
}

/** Starts or reaches a server. The SDK is loaded with the first one. */
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

/** What the user wrote is theirs, and so is what they installed. */
function isConfined({ origin, reach }: ConfiguredServer): boolean {
  return origin.scope === 'project' && reach.kind === 'stdio';
}

export function expandedReach({ reach }: Pick<McpServerDefinition, 'reach'>, places: VariablePlaces): ServerReach {
  return mapReach(reach, (text) => expandVariables(text, places));
}

/** A server of the project gets no more by naming it than a command would find by itself: no key of ours above all. */
export function variablesFor(
  { origin }: Pick<McpServerDefinition, 'origin'>,
  ports: Pick<OpeningPorts, 'environment' | 'childEnvironment'>,
): VariablePlaces['environment'] {
  return origin.scope === 'project' ? commandEnvironment(ports.childEnvironment()) : ports.environment();
}

/** A login is for one address: a server of the same name somewhere else does not get it. */
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
