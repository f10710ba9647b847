import { pathToFileURL } from 'node:url';
import * as l10n from '@vscode/l10n';
import type { Location, Range, TextEdit, WorkspaceEdit } from 'vscode-languageserver';
import { agentNameFault } from '../agents/agent-schema.ts';
import { commandNameFault } from '../commands/read-command.ts';
import { serverNameFault } from '../mcp/read-servers.ts';
import { inToolNames } from '../mcp/tool-names.ts';
import { qualifiedName } from '../policy/rules/known-tools.ts';
import { skillNameFault } from '../skills/read-skill.ts';
import type { Span } from '../text/text-range.ts';
import type { ConfigDocument } from './config-document.ts';

/** What files name that other files define. */
export type NameKind = 'server' | 'agent' | 'skill' | 'command';

/** A place in a document that defines a name or mentions one. The span is the name itself, without quotes. */
export interface NameUse extends Span {
  /** `tool` is the name of a tool as rules know it, such as `mcp_docs_search`. An agent's name is one as well. */
  readonly kind: NameKind | 'tool';
  readonly name: string;
  readonly isDefinition?: boolean;
  /** How another name is written here, if not as it is. */
  readonly write?: (name: string) => string;
  /** Where the file is after it got another name, if the name is that of the file and not what is written here. */
  readonly moved?: (name: string) => string;
}

/** A name in a document, with the kind of thing that it names. */
export interface PlacedName extends NameUse {
  readonly kind: NameKind;
  readonly file: ConfigDocument;
  /** The name is in this text: a server in the name of its tool. */
  readonly within: Span;
}

/** Why a name can't be changed, for people. */
export class RenameRefused extends Error {}

export interface FileWithNames {
  readonly file: ConfigDocument;
  readonly uses: readonly NameUse[];
  /** Whether the user may want this file changed. Files of extensions belong to others. */
  readonly isOwn: boolean;
}

/** Who defines and who mentions the names of servers, agents, skills and commands, in all files of a workspace. */
export class Names {
  private readonly placed: readonly PlacedName[];
  private readonly others: ReadonlySet<ConfigDocument>;

  constructor(
    files: readonly FileWithNames[],
    private readonly canRenameFiles: boolean,
  ) {
    const all = files.flatMap(({ file, uses }) => uses.map((use) => ({ ...use, file })));
    const known = {
      servers: definedIn(all, 'server'),
      agents: definedIn(all, 'agent'),
      commands: new Set(definedIn(all, 'command')),
    };
    this.placed = all.flatMap((use) => placedName(use, known) ?? []);
    this.others = new Set(files.flatMap(({ file, isOwn }) => (isOwn ? [] : file)));
  }

  /** What the text at an offset is about. The cursor may also be right after it. */
  about(file: ConfigDocument, offset: number): PlacedName | undefined {
    return this.placed.find(({ file: other, within }) => other === file && isAt(within, offset));
  }

  /** The name at an offset, if the cursor is in the name itself. */
  at(file: ConfigDocument, offset: number): PlacedName | undefined {
    const name = this.about(file, offset);
    return name && isAt(name, offset) ? name : undefined;
  }

  definitions({ kind, name }: NameUse): readonly PlacedName[] {
    return this.placed.filter((other) => other.isDefinition && isSame(other, kind, name));
  }

  /** Definitions and mentions. */
  uses({ kind, name }: NameUse): readonly PlacedName[] {
    return this.placed.filter((other) => isSame(other, kind, name));
  }

  /** Throws a `RenameRefused` if the name has to stay as it is. */
  requireRenamable(use: PlacedName): void {
    const definitions = this.definitions(use);
    if (definitions.length === 0) throw new RenameRefused(l10n.t('No file of yours defines "{0}".', use.name));
    const foreign = definitions.find(({ file }) => this.others.has(file));
    if (foreign) throw new RenameRefused(l10n.t('"{0}" is defined in {1}.', use.name, foreign.file.path));
  }

  /** The edits that give everything with this name another one. Throws a `RenameRefused` if that can't be done. */
  rename(use: PlacedName, newName: string): WorkspaceEdit {
    this.requireRenamable(use);
    requireName(use.kind, newName);
    const taken = this.placed.find((other) => isTakenBy(other, use, newName));
    if (taken) throw new RenameRefused(l10n.t('{0} already defines "{1}".', taken.file.path, taken.name));
    const uses = this.uses(use).filter((other) => !this.others.has(other.file));
    const files = uses.flatMap(({ file: { uri }, moved }) =>
      moved ? [{ kind: 'rename' as const, oldUri: uri, newUri: pathToFileURL(moved(newName)).href }] : [],
    );
    const changes = editsOf(
      uses.filter(({ moved }) => !moved),
      newName,
    );
    if (files.length === 0) return { changes };
    if (!this.canRenameFiles)
      throw new RenameRefused(l10n.t('The name of a command is that of its file. Rename the file.'));
    const edits = Object.entries(changes).map(([uri, made]) => ({ textDocument: { uri, version: null }, edits: made }));
    return { documentChanges: [...edits, ...files] };
  }
}

function editsOf(uses: readonly PlacedName[], newName: string): Record<string, TextEdit[]> {
  const changes: Record<string, TextEdit[]> = {};
  for (const { file, write = asItIs, ...span } of uses) {
    const edits = changes[file.uri] ?? [];
    changes[file.uri] = edits;
    edits.push({ range: file.rangeOf(span), newText: write(newName) });
  }
  return changes;
}

export function locationOf({ file, start, end }: PlacedName): Location {
  return { uri: file.uri, range: file.rangeOf({ start, end }) };
}

/** What people change: the text of the name, or the name of a file. */
export function prepared(use: PlacedName): Range | { readonly range: Range; readonly placeholder: string } {
  const { file, start, end, name: placeholder } = use;
  const range = file.rangeOf({ start, end });
  return use.moved ? { range, placeholder } : range;
}

interface Known {
  readonly servers: readonly string[];
  readonly agents: readonly string[];
  readonly commands: ReadonlySet<string>;
}

function definedIn(uses: readonly NameUse[], kind: NameKind): readonly string[] {
  return uses.flatMap((use) => (use.kind === kind && use.isDefinition ? use.name : []));
}

function placedName(use: NameUse & { readonly file: ConfigDocument }, known: Known): PlacedName | undefined {
  const { kind, name } = use;
  // Any word after a slash could be a command.
  if (kind === 'command' && !known.commands.has(name)) return undefined;
  if (kind !== 'tool') return { ...use, kind, within: use };
  if (known.agents.includes(name)) return { ...use, kind: 'agent', within: use };
  const server = serverOfTool(name, known.servers);
  if (server === undefined) return undefined;
  const start = use.start + PREFIX.length;
  const end = start + inToolNames(server).length;
  return { ...use, kind: 'server', name: server, start, end, write: inToolNames, within: use };
}

function isAt({ start, end }: Span, offset: number): boolean {
  return start <= offset && offset <= end;
}

const PREFIX = 'mcp_';

/**
 * The server of a tool such as `mcp_docs_search`. With the servers "a" and "a_b", `mcp_a_b_c` is a tool of the latter.
 * Rules may also say `mcp_docs_*`.
 */
export function serverOfTool(tool: string, servers: readonly string[]): string | undefined {
  const fitting = servers.filter((server) => tool.startsWith(qualifiedName(inToolNames(server), '')));
  return fitting.reduce<string | undefined>((longest, server) => {
    return longest === undefined || server.length > longest.length ? server : longest;
  }, undefined);
}

function isSame(other: NameUse, kind: NameUse['kind'], name: string): boolean {
  return other.kind === kind && keyOf(other.kind, other.name) === keyOf(kind, name);
}

/** Skills and commands are found in any case. */
function keyOf(kind: NameUse['kind'], name: string): string {
  return kind === 'skill' || kind === 'command' ? name.toLowerCase() : name;
}

/** Rules can't tell servers apart that are written alike in the names of their tools. */
function isTakenBy(other: NameUse, { kind, name }: NameUse, newName: string): boolean {
  if (!other.isDefinition || other.kind !== kind || isSame(other, kind, name)) return false;
  return kind === 'server' ? inToolNames(other.name) === inToolNames(newName) : isSame(other, kind, newName);
}

function requireName(kind: NameKind, name: string): void {
  const fault = FAULTS[kind](name);
  if (fault !== undefined) throw new RenameRefused(l10n.t('"{0}" can\'t be the name: {1}.', name, fault));
}

const FAULTS: Readonly<Record<NameKind, (name: string) => string | undefined>> = {
  server: serverNameFault,
  agent: agentNameFault,
  skill: skillNameFault,
  command: commandNameFault,
};

function asItIs(name: string): string {
  return name;
}
