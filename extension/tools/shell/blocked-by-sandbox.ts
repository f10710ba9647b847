import type { Confinement } from '../../ports/shell.ts';
import type { SandboxBlock } from '../../protocol/agent/sandbox-block.ts';
import { REFUSED, refusedPaths } from './refused-paths.ts';

/** How programs say that there is no network. */
const NO_NETWORK =
  /could not resolve (?:host|proxy)|name resolution|network is unreachable|\bENETUNREACH\b|\bEAI_AGAIN\b|getaddrinfo/i;

const MAX_LINES = 3;
const MAX_CHARS = 200;

export interface BlockedLines {
  readonly files: readonly string[];
  readonly network: readonly string[];
}

/** What the sandbox has probably blocked, in the words of the program: it names the path or the host. */
export function blockedLines(output: string): BlockedLines {
  const lines = output.split('\n').map((line) => line.trim().slice(0, MAX_CHARS));
  const found = (pattern: RegExp): readonly string[] => [...new Set(lines.filter((line) => pattern.test(line)))];
  return { files: found(REFUSED).slice(-MAX_LINES), network: found(NO_NETWORK).slice(-MAX_LINES) };
}

/** A command in the sandbox that has ended. */
export interface InsideRun {
  readonly output: string;
  /** Absolute: where it ran. */
  readonly folder: string;
  readonly failed: boolean;
  readonly confinement: Pick<Confinement, 'blocked' | 'network'>;
}

/**
 * What it was kept from; undefined when nothing is known of. Hosts that the proxy refused are known, also of a command that
 * continued without them. A host that a program could not find is a guess from its output: the program did not ask the proxy.
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
  return { paths, hosts, ...(closedHosts.length > 0 && { closedHosts }), folders };
}

/** A host that was refused is named with its port where that is another one than usual. */
function isHostOf(known: string, host: string): boolean {
  return known === host || known.startsWith(`${host}:`);
}

function refusedHosts({ network }: Pick<Confinement, 'network'>): readonly string[] {
  const known = network();
  return 'refused' in known ? known.refused : [];
}

/** For the model. Undefined when there is nothing to say. */
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

/** Names with a dot: what has none is no host of the internet, and words of a sentence would count as one. */
const HOST = '((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.){1,20}[a-z0-9][a-z0-9-]{0,61}[a-z0-9])';

/** How programs say which host they could not find. */
const NOT_FOUND: readonly RegExp[] = [
  // curl, git, cargo, ssh, apt.
  `could not resolve (?:host(?:name)?:? |')${HOST}`,
  // wget.
  `unable to resolve host address .?${HOST}`,
  // Node and what is made with it.
  `(?:ENOTFOUND|EAI_AGAIN) ${HOST}`,
  // Go.
  `\\blookup ${HOST}`,
  // pip, and others that use urllib3.
  `failed to resolve '${HOST}`,
  `ConnectionPool\\(host='${HOST}'.{0,400}?name (?:resolution|or service not known)`,
  // cargo, apt.
  `(?:failed to resolve address for|temporary failure resolving) '?${HOST}`,
  // Java.
  `\\bunknown ?host(?:exception:)? ${HOST}`,
  // Ruby.
  `open TCP connection to ${HOST}`,
  // ping and much else that is written in C.
  `\\b${HOST}: (?:temporary failure in name resolution|name or service not known)`,
].map((pattern) => new RegExp(pattern, 'gi'));

/** The end of the output: programs say last why they give up. */
const MAX_END_CHARS = 20_000;
const MAX_HOSTS = 5;

/** The hosts that a program says it could not find: a guess from its words. */
function hostsInOutput(output: string): readonly string[] {
  const end = output.slice(-MAX_END_CHARS);
  const found = NOT_FOUND.flatMap((pattern) => [...end.matchAll(pattern)].map(([, host = '']) => host.toLowerCase()));
  return [...new Set(found)].slice(0, MAX_HOSTS);
}
