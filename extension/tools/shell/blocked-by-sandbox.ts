import { hostsInOutput } from './blocked-hosts.ts';

/** How programs say that the system did not let them write, or that there is no network. */
const REFUSED =
  /read-only file system|\bEROFS\b|permission denied|\bEACCES\b|operation not permitted|\bEPERM\b|device or resource busy/i;
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

/** What a command in the sandbox wanted and did not get, as far as that is known. */
export interface SandboxBlock {
  /** Absolute. */
  readonly paths: readonly string[];
  readonly hosts: readonly string[];
}

/** Undefined when nothing is known of. */
export function sandboxBlock(output: string): SandboxBlock | undefined {
  const hosts = hostsInOutput(output);
  return hosts.length === 0 ? undefined : { paths: [], hosts };
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
