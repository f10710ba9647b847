import { join, relative, resolve, sep } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { DiskView } from '../../files/disk-view.ts';
import { readBeginning } from '../../files/read-beginning.ts';
import { canonicalFolder, contains, resolveRealPath } from '../../files/real-path.ts';
import type { WorkspacePort } from '../../ports/workspace.ts';
import { textTokens } from '../tokens/text-tokens.ts';

export interface OwnInstructionPorts {
  /** The user's own environment, without variables from files of a project. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** The user's file that replaces Gantry's instruction. */
export interface OwnInstruction {
  /** An absolute path. */
  readonly path: string;
  readonly text: string;
  /** The approximate number of tokens in every request. */
  readonly tokens: number;
}

export type ReadInstruction =
  | { readonly own: OwnInstruction }
  /** Why the configured file is not used. */
  | { readonly problem: string };

/** The same limit as for other files with instructions. */
const MAX_BYTES = 100_000;

/** The file in `GEMINI_SYSTEM_MD`, which replaces the instruction, as in Gemini CLI. */
export class OwnInstructionFile {
  private known: { readonly key: string; readonly read: ReadInstruction } | undefined;

  constructor(private readonly ports: OwnInstructionPorts) {}

  /** Returns undefined if no file is configured, and the same object as long as nothing changed. */
  async read(workspace: WorkspacePort, view: DiskView): Promise<ReadInstruction | undefined> {
    const path = namedFile('GEMINI_SYSTEM_MD', this.ports, workspace);
    if (path === undefined) return undefined;
    const key = JSON.stringify([path, await view.stamp(path), workspace.isTrusted(), workspace.roots()]);
    if (this.known?.key !== key) this.known = { key, read: await readFrom(path, workspace) };
    return this.known.read;
  }
}

/**
 * The file that a variable names: a path, or `1` for the default file in the open folder. Undefined if the variable
 * turns it off.
 */
export function namedFile(
  variable: string,
  { environment, home }: OwnInstructionPorts,
  workspace: WorkspacePort,
): string | undefined {
  const value = environment[variable]?.trim() ?? '';
  const [root = home] = workspace.roots();
  if (value === '' || /^(0|false)$/i.test(value)) return undefined;
  if (/^(1|true)$/i.test(value)) return join(root, '.gemini', 'system.md');
  return value === '~' || value.startsWith('~/') ? join(home, value.slice(1)) : resolve(root, value);
}

async function readFrom(path: string, workspace: WorkspacePort): Promise<ReadInstruction> {
  const real = await resolveRealPath(path).then(
    (resolved) => resolved.path,
    () => undefined,
  );
  const why = real === undefined ? l10n.t('it cannot be read') : await whyNot(path, real, workspace);
  if (real === undefined || why !== undefined) return notUsed(path, why ?? '');
  const read = await readBeginning(real, MAX_BYTES, (opened) => opened === real);
  if ('failed' in read)
    return notUsed(path, read.failed === 'missing' ? l10n.t('there is no such file') : l10n.t('it cannot be read'));
  if (read.isCut) return notUsed(path, l10n.t('it is longer than 100 kB'));
  const text = read.text.trim();
  if (text === '') return notUsed(path, l10n.t('it is empty'));
  return { own: { path, text, tokens: Math.round(textTokens(text)) } };
}

/**
 * A file in the open folder must be in its `.gemini` folder, where the agent's edits require approval in every mode,
 * and the folder must be trusted.
 */
async function whyNot(path: string, real: string, workspace: WorkspacePort): Promise<string | undefined> {
  for (const root of workspace.roots()) {
    const folder = canonicalFolder(root);
    const isInside = contains(folder, real);
    if (!isInside && !contains(root, path)) continue;
    if (!workspace.isTrusted()) return l10n.t('this folder is not trusted');
    if (!isInside) return l10n.t('it links to a file outside its folder');
    if (relative(folder, real).split(sep)[0] !== '.gemini')
      return l10n.t('it is in this folder but not in its .gemini folder, where changes require approval');
  }
  return undefined;
}

function notUsed(path: string, why: string): ReadInstruction {
  return { problem: l10n.t('The file in GEMINI_SYSTEM_MD is not used: {0}. Reason: {1}.', path, why) };
}

/** The values for the variables of the text. */
export interface InstructionValues {
  readonly skills: string;
  readonly agents: readonly { readonly name: string; readonly description: string }[];
  readonly tools: readonly string[];
}

/** Replaces Gemini CLI's variables; others stay as they are. Inserted values are not expanded again. */
export function fillInstruction(text: string, { skills, agents, tools }: InstructionValues): string {
  const values = new Map([
    ['AgentSkills', skills],
    ['SubAgents', agents.map(({ name, description }) => `- ${name}: ${description}`).join('\n')],
    ['AvailableTools', tools.map((name) => `- ${name}`).join('\n')],
    ...tools.map((name): [string, string] => [`${name}_ToolName`, name]),
  ]);
  return text.replace(/\$\{([\w.:-]+)\}/g, (written, name: string) => values.get(name) ?? written);
}
