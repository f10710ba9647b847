import { createHash } from 'node:crypto';
import type { SandboxClause } from '../policy/sandbox-clause.ts';
import type { ProblemPlace } from '../text/json-with-comments.ts';

/** How to start or connect to a server, as it is written: variables are not expanded yet. */
export type ServerReach =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string;
    }
  | {
      /** `url` means streamable HTTP or, if the server doesn't support it, server-sent events. */
      readonly kind: 'http' | 'sse' | 'url';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };

/** A client that was registered manually, for servers without dynamic registration. */
export interface ServerLogin {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly scopes?: readonly string[];
}

export interface McpServerDefinition {
  readonly name: string;
  readonly reach: ServerReach;
  /** The values of `reach` are final: a `$` in them begins no variable. */
  readonly isLiteral?: boolean;
  /** The time limit for one request. */
  readonly timeoutMs: number;
  /**
   * Its tools run without asking, except in plan mode and unless gates or rules say otherwise. Only the user's own
   * settings can set this.
   */
  readonly trust: boolean;
  readonly description?: string;
  /** The only tools that are used, by their original names. */
  readonly includeTools?: readonly string[];
  readonly excludeTools: readonly string[];
  readonly login?: ServerLogin;
  /** Only for a project's program. */
  readonly sandbox?: SandboxClause;
  readonly origin: ServerOrigin;
}

export interface ServerOrigin {
  /** Absolute, or the name of a setting. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** The owner. A server from a folder or an extension requires approval before it starts. */
  readonly scope: 'project' | 'user' | 'system' | 'extension';
  /** The folder that contains its definition. */
  readonly root?: string;
  /** The name of the extension that contains it. */
  readonly extension?: string;
}

/** Only servers from the user's own files need no approval. */
export function isOwnServer({ scope }: Pick<ServerOrigin, 'scope'>): boolean {
  return scope === 'user' || scope === 'system';
}

/** Applies a function to every text of a reach. */
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

/** A problem with servers that a person should know about. */
export interface McpProblem extends ProblemPlace {
  readonly file: string;
  readonly text: string;
  /** The name of the server, if the problem is about its definition and other files. */
  readonly server?: string;
  /** The definition that is used instead. */
  readonly other?: ServerOrigin;
  /** Nothing is wrong, but the server requires approval. */
  readonly waits?: boolean;
  /** The file as a whole is invalid, not only its servers. */
  readonly damaged?: boolean;
}

/**
 * A hash of everything that decides what is started or contacted, including the contents of started files. Any change
 * makes it another server. Values of variables count too, not only their names: `NODE_OPTIONS` alone can run a program.
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
