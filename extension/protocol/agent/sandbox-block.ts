import * as l10n from '@vscode/l10n';
import { isObject } from '../../base/objects.ts';

/** The mechanisms of the operating system that confine commands. */
export const SANDBOX_KINDS = ['bubblewrap', 'seatbelt'] as const;
export type SandboxKind = (typeof SANDBOX_KINDS)[number];

const NAMES: Readonly<Record<SandboxKind, string>> = { bubblewrap: 'bubblewrap', seatbelt: 'Seatbelt' };

export function sandboxName(kind: SandboxKind): string {
  return NAMES[kind];
}

/** An explanation for the user, for a command that runs or ran in the sandbox. */
export function confinedWords(by: SandboxKind): string {
  return l10n.t(
    'In the sandbox ({0}): the command can change only the folders that are open to it, except protected files, and can reach only the hosts that you allow.',
    sandboxName(by),
  );
}

/** The accesses of a command that the sandbox blocked. */
export interface SandboxBlock {
  /** Paths that the command tried to change: absolute, or in its folder if the user can't open them. */
  readonly paths: readonly string[];
  /** Hosts that the command tried to reach, and can reach once the user allows them. */
  readonly hosts: readonly string[];
  /**
   * Hosts that the command, according to its output, tried to reach without the proxy. Allowing them would not help.
   */
  readonly closedHosts?: readonly string[];
  /** Absolute paths: the folders of those `paths` that the user can open to commands. The others can't be opened. */
  readonly folders?: readonly string[];
}

/** Reads a block from a log of any version. It uses no schema, because zod is too large to load at activation. */
export function readSandboxBlock(value: unknown): SandboxBlock | undefined {
  if (!isObject(value)) return undefined;
  const { paths, hosts, closedHosts, folders } = value;
  if (!isTexts(paths) || !isTexts(hosts)) return undefined;
  return { paths, hosts, ...(isTexts(closedHosts) && { closedHosts }), ...(isTexts(folders) && { folders }) };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}

/** The kinds of blocked accesses that the user can allow, for this session or always. */
export const BLOCKED_KINDS = ['folder', 'host'] as const;
export type BlockedKind = (typeof BLOCKED_KINDS)[number];
