import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { extname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import picomatch from 'picomatch';
import type { AllowedPath } from '../../files/path-guard.ts';
import { checkVisibility } from '../../policy/ignore-rules.ts';
import type { ToolContext, ToolResult } from '../../ports/tool.ts';
import { pathLabel } from '../path-label.ts';
import { didYouMean } from './similar-paths.ts';
import { guardForReading, hiddenReason, type RefusedToolPath, type ToolPath } from './tool-path.ts';

/** Reading more files at once doesn't help, and there are search tools for larger trees. */
const MAX_FILES = 200;
const MAX_ENTRIES = 50_000;

const DEFAULT_EXCLUDED_FOLDERS =
  '**/{node_modules,bower_components,.git,.svn,.hg,.vscode,.idea,dist,build,coverage,__pycache__}/**';
const DEFAULT_EXCLUDED_FILES =
  '**/{*.{bin,exe,dll,so,dylib,class,jar,war,o,a,zip,tar,gz,bz2,xz,rar,7z,doc,docx,xls,xlsx,ppt,pptx,odt,ods,odp,pyc,pyo},.DS_Store,.env,GEMINI.md}';

/** Without extglobs such as `+(a|b)`, because nested ones can take forever. */
const GLOB = { dot: true, noextglob: true } as const;

export interface FileQuery {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly recursive: boolean;
  readonly useDefaultExcludes: boolean;
  readonly respectGitIgnore: boolean;
  readonly respectGeminiIgnore: boolean;
}

export interface FoundFiles {
  /** Sorted by label. `isNamed`: a pattern names this file or its extension. */
  readonly files: readonly { readonly target: ToolPath; readonly isNamed: boolean }[];
  readonly skipped: readonly { readonly label: string; readonly reason: string }[];
  /** For the model: which limits were reached. */
  readonly notes: readonly string[];
}

/** The folder in which a pattern starts: the part without wildcards. */
export function startOf(pattern: string): string {
  const path = plainPath(pattern);
  const { base, isGlob } = picomatch.scan(path);
  return isGlob ? base || (isAbsolute(path) ? '/' : '.') : path;
}

/** Finds the files that match the patterns. Links are not followed, except those that a pattern names. */
export async function findFiles(query: FileQuery, context: ToolContext): Promise<FoundFiles> {
  const walk = new Walk(query, context);
  for (const pattern of query.include) await walk.include(pattern);
  return walk.found();
}

interface Candidate {
  readonly target: ToolPath;
  readonly isNamed: boolean;
  /** The path guard has already checked this file. */
  readonly isChecked: boolean;
}

class Walk {
  private readonly candidates = new Map<string, Candidate>();
  private readonly skipped = new Map<string, string>();
  private readonly isExcluded: (path: string) => boolean;
  private entries = 0;

  constructor(
    private readonly query: FileQuery,
    private readonly context: ToolContext,
  ) {
    const defaults = query.useDefaultExcludes ? [DEFAULT_EXCLUDED_FOLDERS, DEFAULT_EXCLUDED_FILES] : [];
    this.isExcluded = picomatch([...defaults, ...query.exclude.map(anywhere)], GLOB);
  }

  async include(pattern: string): Promise<void> {
    const path = plainPath(pattern);
    const literal = await guardForReading(path, this.context);
    const isThere = literal.ok && literal.guarded.exists;
    const { glob, isGlob } = picomatch.scan(path);
    if (isThere || !isGlob) return this.includeLiteral(literal, pattern);
    const matches = picomatch(glob, GLOB);
    const starts = await Promise.all(this.places(startOf(pattern)).map((start) => this.guardFolder(start)));
    const allowed = starts.filter((start) => start.ok);
    const refused = starts.find((start) => !start.ok);
    if (allowed.length === 0 && refused && !refused.ok) this.skip(pattern, refused.failed);
    for (const start of allowed) await this.folder(start, '', matches, pattern);
  }

  /** Checks only as many files as will be read. */
  async found(): Promise<FoundFiles> {
    const sorted = [...this.candidates.values()].sort(byLabel);
    const files: Candidate[] = [];
    let looked = 0;
    for (const candidate of sorted) {
      if (files.length === MAX_FILES) break;
      this.context.signal.throwIfAborted();
      looked++;
      const { guarded, label } = candidate.target;
      const reason = candidate.isChecked ? undefined : await hiddenReason(guarded, label, this.context);
      if (reason === undefined) files.push(candidate);
      else this.skipped.set(label, reason);
    }
    const left = sorted.length - looked;
    const notes = [
      ...(left > 0 ? [`Only ${MAX_FILES} files were read; ${left} more match.`] : []),
      ...(this.entries > MAX_ENTRIES ? [`Looking stopped after ${MAX_ENTRIES} entries: use narrower patterns.`] : []),
    ];
    return { files, skipped: [...this.skipped].map(([label, reason]) => ({ label, reason })), notes };
  }

  private async includeLiteral(target: ToolPath | RefusedToolPath, pattern: string): Promise<void> {
    if (!target.ok) return this.skip(target.label, target.failed);
    const stats = await stat(target.guarded.path).catch(() => undefined);
    if (!stats) {
      const meant = await didYouMean(target.guarded, this.context, 'any');
      this.skipped.set(target.label, meant === '' ? 'not found' : `not found. ${meant}`);
    } else if (stats.isDirectory()) await this.folder(target, '', () => true, pattern);
    else this.add({ target, isNamed: true, isChecked: true });
  }

  /** A relative pattern applies to every open folder. */
  private places(start: string): string[] {
    const roots = this.context.workspace.roots();
    if (isAbsolute(start) || roots.length < 2) return [start];
    return [start, ...roots.map((root) => join(root, start))];
  }

  private guardFolder(path: string): Promise<ToolPath | RefusedToolPath> {
    return guardForReading(path, this.context, { isFolder: true });
  }

  private skip(label: string, { error }: ToolResult): void {
    this.skipped.set(label, error?.message ?? 'refused');
  }

  private async folder(
    start: ToolPath,
    inside: string,
    matches: (path: string) => boolean,
    pattern: string,
  ): Promise<void> {
    this.context.signal.throwIfAborted();
    const entries = await readdir(join(start.guarded.path, inside), { withFileTypes: true }).catch((): Dirent[] => []);
    for (const entry of entries) {
      if (++this.entries > MAX_ENTRIES) return;
      const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
      if (entry.isDirectory()) {
        if (this.query.recursive && (await this.mayEnter(start, path)))
          await this.folder(start, path, matches, pattern);
      } else if (entry.isFile() && matches(path)) {
        if (!this.isExcluded(below(start.guarded, path))) this.add(this.candidate(start, path, pattern));
      }
    }
  }

  private async mayEnter({ guarded }: ToolPath, path: string): Promise<boolean> {
    const relativePath = below(guarded, path);
    if (this.isExcluded(`${relativePath}/x`)) return false;
    const visibility = await checkVisibility({ realRoot: guarded.realRoot, relativePath, isFolder: true });
    if (!visibility.hidden) return true;
    if (visibility.by === 'geminiignore') return !this.query.respectGeminiIgnore;
    return (visibility.by === 'gitignore' || visibility.by === 'git_exclude') && !this.query.respectGitIgnore;
  }

  /** No link was followed on the way, so the path is real. Opening the file checks that again. */
  private candidate({ guarded, label: startLabel }: ToolPath, path: string, pattern: string): Candidate {
    const relativePath = below(guarded, path);
    const file = {
      ...guarded,
      path: join(guarded.path, path),
      relativePath,
      editorPath: join(guarded.editorPath, path),
    };
    const roots = this.context.workspace.roots();
    const label = roots.includes(guarded.root) ? pathLabel(file, roots) : join(startLabel, path);
    return { target: { ok: true, guarded: file, label }, isNamed: namesExtension(pattern, path), isChecked: false };
  }

  private add(candidate: Candidate): void {
    const { path } = candidate.target.guarded;
    const known = this.candidates.get(path);
    const isNamed = candidate.isNamed || (known?.isNamed ?? false);
    const isChecked = candidate.isChecked || (known?.isChecked ?? false);
    this.candidates.set(path, { ...candidate, isNamed, isChecked });
  }
}

function byLabel(left: Candidate, right: Candidate): number {
  return left.target.label < right.target.label ? -1 : 1;
}

function below({ relativePath }: AllowedPath, path: string): string {
  return relativePath === '' ? path : `${relativePath}/${path}`;
}

/** A pattern without a folder matches files of that name in every folder. */
function anywhere(pattern: string): string {
  return pattern.includes('/') ? pattern : `**/${pattern}`;
}

function namesExtension(pattern: string, path: string): boolean {
  const extension = extname(path).toLowerCase().slice(1);
  return (
    extension !== '' &&
    pattern
      .toLowerCase()
      .split(/[.{},]/)
      .includes(extension)
  );
}

function plainPath(pattern: string): string {
  if (!/^file:/i.test(pattern)) return process.platform === 'win32' ? pattern.replaceAll('\\', '/') : pattern;
  try {
    return fileURLToPath(pattern);
  } catch {
    return pattern;
  }
}
