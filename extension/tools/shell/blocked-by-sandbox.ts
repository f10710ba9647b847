import type { SandboxBlock } from '../../protocol/sandbox-block.ts';
import type { Confinement } from '../../runtime/host.ts';
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

/** What a command that failed in the sandbox was kept from. Undefined when nothing is known of. */
export async function sandboxBlock(
  output: string,
  folder: string,
  { blocked }: Pick<Confinement, 'blocked'>,
): Promise<SandboxBlock | undefined> {
  const hosts = hostsInOutput(output);
  const { paths, folders = [] } = await blocked(refusedPaths(output, folder));
  return paths.length + hosts.length === 0 ? undefined : { paths, hosts, folders };
}

/** For the model, about a command that failed in the sandbox. */
export function sandboxFact(output: string): string {
  const { files, network } = blockedLines(output);
  const because = [
    ...(files.length > 0 ? ['it can change only the workspace, without protected files'] : []),
    ...(network.length > 0 ? ['it has no network'] : []),
  ];
  if (because.length === 0) return 'Sandbox: it ran in one.';
  return (
    `Sandbox: it ran in one, where ${because.join(', and ')}. If that is why it failed, find another way, ` +
    'or call it again with outside_sandbox: true, which asks the user.'
  );
}
