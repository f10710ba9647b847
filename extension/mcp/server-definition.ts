import { createHash } from 'node:crypto';
import type { SandboxClause } from '../policy/sandbox-clause.ts';

/** How a server is reached, as it is written: variables in it are not looked up yet. */
export type ServerReach =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string;
    }
  | {
      /** `url`: streamable HTTP, and where that is not spoken, server-sent events. */
      readonly kind: 'http' | 'sse' | 'url';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };

/** A client that was registered by hand, for servers that register none themselves. */
export interface ServerLogin {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly scopes?: readonly string[];
}

export interface McpServerDefinition {
  readonly name: string;
  readonly reach: ServerReach;
  /** For one request. */
  readonly timeoutMs: number;
  /** Its tools run without a question, but for plan mode and what gates and rules say. Only from the user's own settings. */
  readonly trust: boolean;
  readonly description?: string;
  /** The only tools that are taken, by the server's own names. */
  readonly includeTools?: readonly string[];
  readonly excludeTools: readonly string[];
  readonly login?: ServerLogin;
  /** Of a project's program. */
  readonly sandbox?: SandboxClause;
  readonly origin: ServerOrigin;
}

export interface ServerOrigin {
  /** Absolute, or the name of a setting. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Whose it is: what comes with a folder or an extension starts only after it is approved. */
  readonly scope: 'project' | 'user' | 'system' | 'extension';
  /** The folder it came with. */
  readonly root?: string;
  /** The name of the extension it came with. */
  readonly extension?: string;
}

/** Only the user's own files can say what needs no yes. */
export function isOwnServer({ scope }: Pick<ServerOrigin, 'scope'>): boolean {
  return scope === 'user' || scope === 'system';
}

/** The same way to reach a server, with every text of it changed. */
export function mapReach(reach: ServerReach, change: (text: string) => string): ServerReach {
  const values = (texts: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, change(value)]));
  if (reach.kind !== 'stdio') return { ...reach, url: change(reach.url), headers: values(reach.headers) };
  return {
    ...reach,
    command: change(reach.command),
    args: reach.args.map(change),
    env: values(reach.env),
    ...(reach.cwd !== undefined && { cwd: change(reach.cwd) }),
  };
}

/** Something about servers that a person should know. */
export interface McpProblem {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** Nothing is wrong: it requires approval. */
  readonly waits?: boolean;
  /** The file as a whole is invalid, whatever it was read for. */
  readonly damaged?: boolean;
}

/**
 * Stands for everything that decides what is started or reached, also the contents of the files that are started: a change of
 * any of it is another server. Values of variables count too, not only their names: `NODE_OPTIONS` alone can be a program.
 */
export function serverHash(
  { name, reach, sandbox }: Pick<McpServerDefinition, 'name' | 'reach' | 'sandbox'>,
  contents = '',
): string {
  const target =
    reach.kind === 'stdio'
      ? [reach.command, reach.args, sorted(reach.env), reach.cwd ?? null]
      : [reach.url, sorted(reach.headers)];
  const held = sandbox === undefined ? [] : [{ sandbox }];
  return createHash('sha256')
    .update(JSON.stringify([name, reach.kind, ...target, ...held, ...(contents === '' ? [] : [contents])]))
    .digest('hex');
}

function sorted(values: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(values).sort(([left], [right]) => (left < right ? -1 : 1));
}
