import { join, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../base/objects.ts';
import { DiskView } from '../../files/disk-view.ts';
import { FilesRead } from '../../files/from-files.ts';
import { type Beginning, type OpenTexts, readBeginning } from '../../files/read-beginning.ts';
import { contains } from '../../files/real-path.ts';
import { folderSettings } from '../../gemini-config/folder-settings.ts';
import { IgnoreRules } from '../../policy/ignore-rules.ts';
import { looksSecret } from '../../policy/secret-files.ts';
import type { ExtensionFolder } from '../../ports/extension-folder.ts';
import type { WorkspacePort } from '../../ports/workspace.ts';
import { firstLine } from '../../text/text-range.ts';
import { textTokens } from '../tokens/text-tokens.ts';
import { type Expanded, expandImports } from './expand-imports.ts';
import type { LoadedMemory } from './loaded-memory.ts';
import { type Homes, type MemoryPlace, MemoryPlaces } from './memory-places.ts';

export interface MemoryPorts extends Homes {
  /** The names in the user's settings; empty if not set. */
  readonly fileNames: () => readonly string[];
}

/** About 25,000 tokens. Longer files are not instructions, and every step would pay for them. */
const MAX_BYTES = 100_000;
/** Enough to show what an untrusted folder asks for. */
const MAX_QUOTED_BYTES = 4_000;

interface MemoryFacts {
  readonly extensions: readonly ExtensionFolder[];
  readonly others: string;
}

interface KnownFile {
  /** The stamps of the file and of all its imports. */
  readonly stamps: ReadonlyMap<string, string>;
  readonly realPath: string;
  /** Real paths: the files that it imports, and those among them that the model already had. */
  readonly reached: ReadonlySet<string>;
  readonly alreadySent: ReadonlySet<string>;
  readonly memory: LoadedMemory | undefined;
}

const NO_EXTENSIONS: readonly ExtensionFolder[] = [];

/** The files with instructions, shared by all sessions. A file is read once, and again after a change. */
export class MemoryFiles {
  private readonly places: MemoryPlaces;
  private readonly known = new Map<string, Promise<KnownFile>>();
  private lastNames: readonly string[] = MEMORY_NAMES;

  constructor(private readonly ports: MemoryPorts) {
    this.places = new MemoryPlaces(ports);
  }

  /** The names of files with instructions, as of the last load. */
  get knownNames(): readonly string[] {
    return this.lastNames;
  }

  /** The name of the file for new instructions. */
  get fileName(): string {
    return this.knownNames[0] ?? '';
  }

  /** The current names of files with instructions. */
  async names(workspace: WorkspacePort, files = new FilesRead(new DiskView())): Promise<readonly string[]> {
    const { fileNames, geminiHome } = this.ports;
    const own = fileNames();
    const folders = [...(workspace.isTrusted() ? workspace.roots().slice(0, 1) : []), geminiHome];
    const inSettings =
      own.length > 0 ? [] : await Promise.all(folders.map(async (each) => namesIn(await folderSettings(each, files))));
    this.lastNames = chooseNames(own, ...inSettings);
    return this.lastNames;
  }

  /** What the files to load depend on besides the disk and the folders that tools accessed. */
  async facts(workspace: WorkspacePort, view: DiskView): Promise<MemoryFacts> {
    const { extensions, fileNames } = this.ports;
    const isTrusted = workspace.isTrusted();
    const inUse = isTrusted ? await extensions?.(view) : undefined;
    return { extensions: inUse ?? NO_EXTENSIONS, others: JSON.stringify([isTrusted, workspace.roots(), fileNames()]) };
  }

  /**
   * Loads the files, from general to specific. `touched` lists the real folders that tools accessed. A file that did
   * not change keeps its identity.
   */
  async load(
    workspace: WorkspacePort,
    touched: readonly string[],
    extensions: readonly ExtensionFolder[],
    files: FilesRead,
  ): Promise<readonly LoadedMemory[]> {
    const [places, names] = await Promise.all([
      this.places.list(workspace, touched, extensions, files),
      this.names(workspace, files),
    ]);
    // A file may be a link to another, or another may import it. The model gets each file once, at its first
    // occurrence.
    const sent = new Set<string>();
    const loaded: LoadedMemory[] = [];
    for (const [place, name] of places.flatMap((each) => (each.names ?? names).map((one) => [each, one] as const))) {
      const { realPath, memory, reached } = await this.file(place, name, sent, files);
      if (memory === undefined || sent.has(realPath)) continue;
      loaded.push(memory);
      for (const path of memory.isCut ? [realPath] : [realPath, ...reached]) sent.add(path);
    }
    return loaded;
  }

  private async file(
    place: MemoryPlace,
    name: string,
    sent: ReadonlySet<string>,
    files: FilesRead,
  ): Promise<KnownFile> {
    const path = join(place.folder, name);
    const key = `${place.isQuoted} ${place.origin} ${path}`;
    const known = await this.known.get(key);
    if (known && isFor(known, sent) && (await isCurrent(known, files))) return known;
    const reading = readMemory(path, place, name, new Set(sent), files).then((read) =>
      known ? sameIfEqual(known, read) : read,
    );
    this.known.set(key, reading);
    return reading;
  }
}

/** A file may be rewritten with the same content. */
function sameIfEqual({ memory }: KnownFile, read: KnownFile): KnownFile {
  return isDeepStrictEqual(memory, read.memory) ? { ...read, memory } : read;
}

/** Whether the model had the same imports when the file was read. */
function isFor({ reached, alreadySent }: KnownFile, sent: ReadonlySet<string>): boolean {
  return [...reached].every((path) => sent.has(path) === alreadySent.has(path));
}

async function isCurrent({ stamps }: KnownFile, files: FilesRead): Promise<boolean> {
  const now = await Promise.all([...stamps].map(async ([path, stamp]) => (await files.stamp(path)) === stamp));
  return now.every(Boolean);
}

async function readMemory(
  path: string,
  place: MemoryPlace,
  name: string,
  sent: ReadonlySet<string>,
  files: FilesRead,
): Promise<KnownFile> {
  // The stamp is taken before reading, so that a concurrent change is noticed next time.
  const stamp = await files.stamp(path);
  const read = stamp === '' ? ({ failed: 'missing' } as const) : await readOwn(path, place, files.view.open);
  if ('failed' in read || read.text.trim() === '') {
    return { stamps: new Map([[path, stamp]]), realPath: path, reached: NONE, alreadySent: NONE, memory: undefined };
  }
  const stamps = new Map([[path, stamp]]);
  const readImport = async (target: string): Promise<Beginning> => {
    stamps.set(target, await files.stamp(target));
    return readBeginning(target, MAX_BYTES, (real) => mayBeRead(real, place), files.view.open);
  };
  const expanded = place.isQuoted ? unexpanded(read.text) : await expandImports(read.text, path, readImport, sent);
  const { reached } = expanded;
  const alreadySent = new Set([...reached].filter((each) => sent.has(each)));
  const memory = memoryOf(path, place, name, expanded, read);
  return { stamps, realPath: read.path, reached, alreadySent, memory };
}

const NONE: ReadonlySet<string> = new Set();

/** The user's own file may be a link to any place. */
function readOwn(path: string, place: MemoryPlace, open: OpenTexts | undefined): Promise<Beginning> {
  const accepts = place.origin === 'user' ? () => true : (real: string) => mayBeRead(real, place);
  return readBeginning(path, place.isQuoted ? MAX_QUOTED_BYTES : MAX_BYTES, accepts, open);
}

function unexpanded(text: string): Expanded {
  return { text, imported: [], lookedAt: [], reached: NONE, faults: [] };
}

async function mayBeRead(real: string, { boundary, origin }: MemoryPlace): Promise<boolean> {
  if (!contains(boundary, real) || looksSecret(relative(boundary, real))) return false;
  if (origin === 'user') return true;
  // Files that Git ignores may be meant for agents, but files in `.geminiignore` are not.
  const inBoundary = relative(boundary, real).replaceAll('\\', '/');
  const { hidden } = await new IgnoreRules(boundary).judge(inBoundary, false, { git: false, gemini: true });
  return !hidden;
}

function memoryOf(
  path: string,
  { origin, isQuoted, label }: MemoryPlace,
  name: string,
  { text, imported, faults }: Expanded,
  own: Extract<Beginning, { text: string }>,
): LoadedMemory {
  const isCut = own.isCut || text.length > MAX_BYTES;
  // Gantry's own text must not appear within a quotation.
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
    problems: [
      ...faults,
      ...(isCut ? [{ file: path, line: 1, range: firstLine(own.text), reason: 'cut' } as const] : []),
    ],
  };
}

const CUT = '(The rest of this file was left out: it is too long.)';

/** The default names of files with instructions. */
const MEMORY_NAMES: readonly string[] = ['GEMINI.md', 'AGENTS.md'];

/** Every folder is searched for each name. */
const MAX_NAMES = 10;

/**
 * The names from the first source that has any. Only file names are valid, not paths, and no names of secret files,
 * because the folder itself may configure them.
 */
function chooseNames(...sources: readonly unknown[]): readonly string[] {
  for (const source of sources) {
    const names = (Array.isArray(source) ? source : [source]).filter(isName);
    if (names.length > 0) return [...new Set(names)].slice(0, MAX_NAMES);
  }
  return MEMORY_NAMES;
}

/** The names in Gemini CLI's settings, not validated. */
function namesIn({ context, contextFileName }: Readonly<Record<string, unknown>>): unknown {
  // The second field is from earlier versions.
  return (isObject(context) ? context['fileName'] : undefined) ?? contextFileName;
}

function isName(name: unknown): name is string {
  return typeof name === 'string' && /^(?!\.{1,2}$)[^/\\:\0]{1,100}$/.test(name) && !looksSecret(name);
}
