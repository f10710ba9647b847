import type { Confinement } from '../../ports/shell.ts';
import type { SandboxBlock } from '../../protocol/agent/sandbox-block.ts';
import { hostsInOutput } from './blocked-hosts.ts';
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
 * went on without. A host that a program could not find is a guess from its words: it did not ask the proxy.
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
