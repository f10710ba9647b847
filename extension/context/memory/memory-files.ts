import { join, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../base/objects.ts';
import { fileStamp } from '../../files/file-stamp.ts';
import { type Beginning, readBeginning } from '../../files/read-beginning.ts';
import { contains } from '../../files/real-path.ts';
import { FolderSettings } from '../../gemini-config/folder-settings.ts';
import { IgnoreRules } from '../../policy/ignore-rules.ts';
import { looksSecret } from '../../policy/secret-files.ts';
import type { WorkspacePort } from '../../ports/workspace.ts';
import { textTokens } from '../tokens/text-tokens.ts';
import { type Expanded, expandImports } from './expand-imports.ts';
import type { LoadedMemory } from './loaded-memory.ts';
import { type Homes, type MemoryPlace, MemoryPlaces } from './memory-places.ts';

export interface MemoryPorts extends Homes {
  /** What the user set; empty when nothing. */
  readonly fileNames: () => readonly string[];
}

/** Some 25,000 tokens. What is longer is no instruction, and would be paid for at every step. */
const MAX_BYTES = 100_000;
/** Enough to say what a folder wants that nobody trusts. */
const MAX_QUOTED_BYTES = 4_000;

interface KnownFile {
  /** Stamps of the file and of all it imports. */
  readonly stamps: ReadonlyMap<string, string>;
  readonly realPath: string;
  /** Without links: the files that it imports, and those of them that the model had already. */
  readonly reached: ReadonlySet<string>;
  readonly leftOut: ReadonlySet<string>;
  readonly memory: LoadedMemory | undefined;
}

/** The files with instructions, shared by all sessions: each is read once, and again when it changed. */
export class MemoryFiles {
  private readonly places: MemoryPlaces;
  private readonly known = new Map<string, Promise<KnownFile>>();
  private readonly settings = new FolderSettings();
  private lastNames: readonly string[] = MEMORY_NAMES;

  constructor(private readonly ports: MemoryPorts) {
    this.places = new MemoryPlaces(ports);
  }

  /** What files with instructions are called, as of the last look. */
  get knownNames(): readonly string[] {
    return this.lastNames;
  }

  /** Where new instructions are written. */
  get fileName(): string {
    return this.knownNames[0] ?? '';
  }

  /** What files with instructions are called now. */
  async names(workspace: WorkspacePort): Promise<readonly string[]> {
    const { fileNames, geminiHome } = this.ports;
    const own = fileNames();
    const folders = [...(workspace.isTrusted() ? workspace.roots().slice(0, 1) : []), geminiHome];
    const inSettings =
      own.length > 0 ? [] : await Promise.all(folders.map(async (folder) => namesIn(await this.settings.of(folder))));
    this.lastNames = chooseNames(own, ...inSettings);
    return this.lastNames;
  }

  /**
   * What is loaded now, from what is general to what is near. `touched`: real folders where tools have been. A file that did
   * not change is the same object as before.
   */
  async load(workspace: WorkspacePort, touched: readonly string[]): Promise<readonly LoadedMemory[]> {
    const [places, names] = await Promise.all([this.places.list(workspace, touched), this.names(workspace)]);
    // One may be a link to another, or imported by another: the model gets each once, where it comes first.
    const sent = new Set<string>();
    const loaded: LoadedMemory[] = [];
    for (const [place, name] of places.flatMap((each) => (each.names ?? names).map((one) => [each, one] as const))) {
      const { realPath, memory, reached } = await this.file(place, name, sent);
      if (memory === undefined || sent.has(realPath)) continue;
      loaded.push(memory);
      for (const path of memory.isCut ? [realPath] : [realPath, ...reached]) sent.add(path);
    }
    return loaded;
  }

  private async file(place: MemoryPlace, name: string, sent: ReadonlySet<string>): Promise<KnownFile> {
    const path = join(place.folder, name);
    const key = `${place.isQuoted} ${place.origin} ${path}`;
    const known = await this.known.get(key);
    if (known && isFor(known, sent) && (await isCurrent(known))) return known;
    const reading = readMemory(path, place, name, new Set(sent)).then((read) =>
      known ? sameIfEqual(known, read) : read,
    );
    this.known.set(key, reading);
    return reading;
  }
}

/** A file may be written again with what it had. */
function sameIfEqual({ memory }: KnownFile, read: KnownFile): KnownFile {
  return isDeepStrictEqual(memory, read.memory) ? { ...read, memory } : read;
}

/** Whether it was read when the model had the same of its imports. */
function isFor({ reached, leftOut }: KnownFile, sent: ReadonlySet<string>): boolean {
  return [...reached].every((path) => sent.has(path) === leftOut.has(path));
}

async function isCurrent({ stamps }: KnownFile): Promise<boolean> {
  const now = await Promise.all([...stamps].map(async ([path, stamp]) => (await fileStamp(path)) === stamp));
  return now.every(Boolean);
}

async function readMemory(
  path: string,
  place: MemoryPlace,
  name: string,
  sent: ReadonlySet<string>,
): Promise<KnownFile> {
  // Before it is read: a change meanwhile is noticed the next time.
  const stamp = await fileStamp(path);
  const read = stamp === '' ? ({ failed: 'missing' } as const) : await readOwn(path, place);
  if ('failed' in read || read.text.trim() === '') {
    return { stamps: new Map([[path, stamp]]), realPath: path, reached: NONE, leftOut: NONE, memory: undefined };
  }
  const stamps = new Map([[path, stamp]]);
  const expanded = place.isQuoted ? unexpanded(read.text) : await expand(read.text, path, place, stamps, sent);
  const { reached } = expanded;
  const leftOut = new Set([...reached].filter((each) => sent.has(each)));
  const memory = memoryOf(path, place, name, expanded, read.isCut);
  return { stamps, realPath: read.path, reached, leftOut, memory };
}

const NONE: ReadonlySet<string> = new Set();

/** The user's own file may be a link to wherever they keep it. */
function readOwn(path: string, place: MemoryPlace): Promise<Beginning> {
  const accepts = place.origin === 'user' ? () => true : (real: string) => mayBeRead(real, place);
  return readBeginning(path, place.isQuoted ? MAX_QUOTED_BYTES : MAX_BYTES, accepts);
}

function unexpanded(text: string): Expanded {
  return { text, imported: [], lookedAt: [], reached: NONE, faults: [] };
}

async function expand(
  text: string,
  path: string,
  place: MemoryPlace,
  stamps: Map<string, string>,
  sent: ReadonlySet<string>,
): Promise<Expanded> {
  const read = async (target: string): Promise<Beginning> => {
    stamps.set(target, await fileStamp(target));
    return readBeginning(target, MAX_BYTES, (real) => mayBeRead(real, place));
  };
  return expandImports(text, path, read, sent);
}

async function mayBeRead(real: string, { boundary, origin }: MemoryPlace): Promise<boolean> {
  if (!contains(boundary, real) || looksSecret(relative(boundary, real))) return false;
  if (origin === 'user') return true;
  // Notes that are kept out of the repository are meant for agents as well; what agents must not see is not.
  const inBoundary = relative(boundary, real).replaceAll('\\', '/');
  const { hidden } = await new IgnoreRules(boundary).judge(inBoundary, false, { git: false, gemini: true });
  return !hidden;
}

function memoryOf(
  path: string,
  { origin, isQuoted, label }: MemoryPlace,
  name: string,
  { text, imported, faults }: Expanded,
  wasCut: boolean,
): LoadedMemory {
  const isCut = wasCut || text.length > MAX_BYTES;
  // Our words do not stand among those that are quoted.
  const end = isQuoted ? '' : `\n\n${CUT}`;
  const kept = isCut ? `${text.slice(0, MAX_BYTES).trimEnd()}${end}` : text.trim();
  return {
    path,
    label: label(name),
    origin,
    text: kept,
    tokens: Math.round(textTokens(kept)),
    imported: [...new Set(imported)],
    isCut,
    isQuoted,
    problems: [...faults, ...(isCut ? [{ file: path, line: 1, reason: 'cut' } as const] : [])],
  };
}

const CUT = '(The rest of this file was left out: it is too long.)';

/** What files with instructions are called unless somebody says otherwise. */
const MEMORY_NAMES: readonly string[] = ['GEMINI.md', 'AGENTS.md'];

/** More names would be more looks at every folder. */
const MAX_NAMES = 10;

/**
 * The names that count: those of the first source that has any. A name is one of a file, not a path, and none that secrets
 * have: the folder itself may say what its files are called.
 */
function chooseNames(...sources: readonly unknown[]): readonly string[] {
  for (const source of sources) {
    const names = (Array.isArray(source) ? source : [source]).filter(isName);
    if (names.length > 0) return [...new Set(names)].slice(0, MAX_NAMES);
  }
  return MEMORY_NAMES;
}

/** What settings of Gemini CLI say about it, unread. */
function namesIn({ context, contextFileName }: Readonly<Record<string, unknown>>): unknown {
  // The second is where it was in earlier versions.
  return (isObject(context) ? context['fileName'] : undefined) ?? contextFileName;
}

function isName(name: unknown): name is string {
  return typeof name === 'string' && /^(?!\.{1,2}$)[^/\\:\0]{1,100}$/.test(name) && !looksSecret(name);
}
