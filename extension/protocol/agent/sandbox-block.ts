import * as l10n from '@vscode/l10n';
import { isObject } from '../../base/objects.ts';

/** How the operating system holds commands back. */
export const SANDBOX_KINDS = ['bubblewrap', 'seatbelt'] as const;
export type SandboxKind = (typeof SANDBOX_KINDS)[number];

const NAMES: Readonly<Record<SandboxKind, string>> = { bubblewrap: 'bubblewrap', seatbelt: 'Seatbelt' };

export function sandboxName(kind: SandboxKind): string {
  return NAMES[kind];
}

/** For people, about a command that runs or ran so. */
export function confinedWords(by: SandboxKind): string {
  return l10n.t(
    'In the sandbox ({0}): the command can change only the folders that are open to it, except protected files, and can reach only the hosts that you allow.',
    sandboxName(by),
  );
}

/** What the sandbox kept a command from. */
export interface SandboxBlock {
  /** Absolute: what it wanted to change. */
  readonly paths: readonly string[];
  /** What it wanted to reach, and may once the user allows it. */
  readonly hosts: readonly string[];
  /** What it wanted to reach past the proxy, by its own words. Allowing that would not help. */
  readonly closedHosts?: readonly string[];
  /** Absolute: the folders of some of the paths, which the user may open to commands. Those of the others stay closed. */
  readonly folders?: readonly string[];
}

/** From a log, which may be another version's. Without a schema, whose library is too much for what runs at activation. */
export function readSandboxBlock(value: unknown): SandboxBlock | undefined {
  if (!isObject(value)) return undefined;
  const { paths, hosts, closedHosts, folders } = value;
  if (!isTexts(paths) || !isTexts(hosts)) return undefined;
  return { paths, hosts, ...(isTexts(closedHosts) && { closedHosts }), ...(isTexts(folders) && { folders }) };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}

/** What of it the user can allow, for this session or always. */
export const BLOCKED_KINDS = ['folder', 'host'] as const;
export type BlockedKind = (typeof BLOCKED_KINDS)[number];
