import { relative } from 'node:path';
import { contains } from '../../files/real-path.ts';
import type { Confinement } from '../../ports/shell.ts';
import type { SandboxBlock } from '../../protocol/agent/sandbox-block.ts';
import { REFUSED, refusedPaths } from './refused-paths.ts';

/** Messages of programs without a network. */
const NO_NETWORK =
  /could not resolve (?:host|proxy)|name resolution|network is unreachable|\bENETUNREACH\b|\bEAI_AGAIN\b|getaddrinfo/i;

const MAX_LINES = 3;
const MAX_CHARS = 200;

export interface BlockedLines {
  readonly files: readonly string[];
  readonly network: readonly string[];
}

/** Lines in which a program reports what the sandbox probably blocked. They name the path or the host. */
export function blockedLines(output: string): BlockedLines {
  const lines = output.split('\n').map((line) => line.trim().slice(0, MAX_CHARS));
  const found = (pattern: RegExp): readonly string[] => [...new Set(lines.filter((line) => pattern.test(line)))];
  return { files: found(REFUSED).slice(-MAX_LINES), network: found(NO_NETWORK).slice(-MAX_LINES) };
}

/** A command that has ended in the sandbox. */
export interface InsideRun {
  readonly output: string;
  /** Absolute. The folder in which it ran. */
  readonly folder: string;
  readonly failed: boolean;
  readonly confinement: Pick<Confinement, 'blocked' | 'network'>;
}

/**
 * What the sandbox blocked. Undefined if nothing is known. Hosts that the proxy refused are known, even if the command
 * continued without them. A host that a program couldn't find is a guess from its output, because the program didn't
 * ask the proxy.
 */
export async function sandboxBlock({
  output,
  folder,
  failed,
  confinement,
}: InsideRun): Promise<SandboxBlock | undefined> {
  const hosts = refusedHosts(confinement);
  const closedHosts = failed
    ? hostsInOutput(output).filter((host) => !hosts.some((known) => isHostOf(known, host)))
    : [];
  const { paths, folders = [] } = failed ? await confinement.blocked(refusedPaths(output, folder)) : { paths: [] };
  if (paths.length + hosts.length + closedHosts.length === 0) return undefined;
  const named = paths.map((path) => (folders.some((open) => contains(open, path)) ? path : shortPath(folder, path)));
  return { paths: named, hosts, ...(closedHosts.length > 0 && { closedHosts }), folders };
}

/** Most blocked files are in the folder of the command, whose own path would only fill the card. */
function shortPath(folder: string, path: string): string {
  return contains(folder, path) && path !== folder ? relative(folder, path) : path;
}

/** A refused host includes its port if it isn't the default one. */
function isHostOf(known: string, host: string): boolean {
  return known === host || known.startsWith(`${host}:`);
}

function refusedHosts({ network }: Pick<Confinement, 'network'>): readonly string[] {
  const known = network();
  return 'refused' in known ? known.refused : [];
}

/** The text for the model. Undefined if there is nothing to report. */
export function sandboxFact({ output, failed, confinement }: Omit<InsideRun, 'folder'>): string | undefined {
  const refused = refusedHosts(confinement);
  const hosts = refused.length > 0 ? `it may not reach ${refused.join(', ')}` : undefined;
  if (!failed) return hosts && `Sandbox: it ran in one, where ${hosts}.`;
  const { files, network: unreached } = blockedLines(output);
  const because = [
    ...(files.length > 0 ? ['it can change only the workspace, without protected files'] : []),
    ...(hosts ? [hosts] : []),
    ...(!hosts && unreached.length > 0 ? [withoutNetwork(confinement)] : []),
  ];
  if (because.length === 0) return 'Sandbox: it ran in one.';
  return (
    `Sandbox: it ran in one, where ${because.join(', and ')}. If that is why it failed, find another way, ` +
    'or call it again with outside_sandbox: true, which asks the user.'
  );
}

function withoutNetwork({ network }: Pick<Confinement, 'network'>): string {
  const known = network();
  if ('missing' in known) return `it has no network (${known.missing})`;
  return 'it has no network but a proxy for HTTP and HTTPS, which the variables HTTP_PROXY and HTTPS_PROXY name';
}

/** Names with a dot. A name without one is not an internet host, and words of a sentence would match. */
const HOST = '((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.){1,20}[a-z0-9][a-z0-9-]{0,61}[a-z0-9])';

/** Messages of programs that couldn't find a host. */
const NOT_FOUND: readonly RegExp[] = [
  // curl, git, cargo, ssh and apt.
  `could not resolve (?:host(?:name)?:? |')${HOST}`,
  // wget.
  `unable to resolve host address .?${HOST}`,
  // Node and programs based on it.
  `(?:ENOTFOUND|EAI_AGAIN) ${HOST}`,
  // Go.
  `\\blookup ${HOST}`,
  // pip and other programs that use urllib3.
  `failed to resolve '${HOST}`,
  `ConnectionPool\\(host='${HOST}'.{0,400}?name (?:resolution|or service not known)`,
  // cargo and apt.
  `(?:failed to resolve address for|temporary failure resolving) '?${HOST}`,
  // Java.
  `\\bunknown ?host(?:exception:)? ${HOST}`,
  // Ruby.
  `open TCP connection to ${HOST}`,
  // ping and many other C programs.
  `\\b${HOST}: (?:temporary failure in name resolution|name or service not known)`,
].map((pattern) => new RegExp(pattern, 'gi'));

/** Only the end of the output counts, because programs say last why they give up. */
const MAX_END_CHARS = 20_000;
const MAX_HOSTS = 5;

/** The hosts that a program says it couldn't find: a guess from its output. */
function hostsInOutput(output: string): readonly string[] {
  const end = output.slice(-MAX_END_CHARS);
  const found = NOT_FOUND.flatMap((pattern) => [...end.matchAll(pattern)].map(([, host = '']) => host.toLowerCase()));
  return [...new Set(found)].slice(0, MAX_HOSTS);
}
