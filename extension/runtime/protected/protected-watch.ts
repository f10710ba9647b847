import { realpath } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { InOrder } from '../../base/in-order.ts';
import { contains } from '../../files/real-path.ts';
import { protectedPath } from '../../policy/protected-paths.ts';
import { type ApprovedCommand, wasNamed } from '../../policy/shell/named-in-command.ts';
import type { PartlyProtected } from '../../policy/telling-part.ts';
import type { Logger } from '../../ports/logger.ts';
import type { FilePort } from '../../ports/workspace.ts';
import type { RecentlyFound } from '../../sandbox/protected-places.ts';
import { type WatchedFile, watchedFiles } from '../../sandbox/watched-files.ts';
import { type ChangeKind, changeOf, type FileState, fileState } from './file-state.ts';

/** A protected file that is another one than before, and nobody approved that. */
export interface ProtectedChange {
  /** Absolute and real. */
  readonly path: string;
  /** From the folder that was opened. */
  readonly name: string;
  /** What kind of file it is, as `protectedWords` knows it. */
  readonly what: string;
  readonly kind: ChangeKind;
  readonly before: FileState | undefined;
  readonly after: FileState | undefined;
}

export interface WatchedCommand {
  /** Present when a person approved it. */
  readonly read?: ApprovedCommand | undefined;
  /** Told of what changed while it ran. */
  readonly found: (changes: readonly ProtectedChange[]) => Promise<void>;
}

export interface WatchParts {
  readonly roots: () => readonly string[];
  /** Absolute: folders that Gantry itself writes to. */
  readonly own: () => readonly string[];
  /** Tells of files that the user saves in an editor. What is returned ends that. */
  readonly onDidSave?: FilePort['onDidSave'];
  /** What was found a moment ago is enough before a command, when nothing is compared. */
  readonly protectedFiles: Pick<RecentlyFound, 'find' | 'findAgain'>;
  readonly log: Logger;
}

/** All contents that are kept to be put back. */
const MAX_KEPT = 4 * 1024 * 1024;

/** What is known of a protected file. */
interface Known extends WatchedFile {
  readonly state: FileState | undefined;
  /** The open folder it was found for. */
  readonly root: string;
}

/**
 * Sees which protected files change while commands run, whatever the commands say they do. One for a window: what its
 * sessions run at the same time changes the same files.
 */
export class ProtectedWatch {
  private known: ReadonlyMap<string, Known> = new Map();
  private readonly running = new Set<WatchedCommand>();
  /** What sessions have written by themselves, by path: the hash of what they left, null where they removed it. */
  private readonly written = new Map<string, string | null>();
  private readonly looking = new InOrder();

  private readonly stopListening: (() => void) | undefined;

  constructor(private readonly parts: WatchParts) {
    this.stopListening = parts.onDidSave?.((path) => this.saved(path));
  }

  dispose(): void {
    this.stopListening?.();
  }

  /** Before a command starts. What is returned is called after its end, and resolves when changes have been told. */
  async begin(command: WatchedCommand): Promise<() => Promise<void>> {
    await this.inTurn(async () => {
      const [latest] = [...this.running].slice(-1);
      const changes = await this.look(latest !== undefined);
      this.running.add(command);
      if (latest) await this.tell(changes, latest);
    });
    let ended: Promise<void> | undefined;
    return () => {
      ended ??= this.inTurn(async () => {
        const changes = await this.look(true);
        await this.tell(changes, command).finally(() => this.running.delete(command));
      });
      return ended;
    };
  }

  /** A session writes this file by itself, after everything that has to be asked was. */
  willWrite(path: string, after: string | null): void {
    this.written.set(path, after);
  }

  /** The user saved this file in an editor. */
  saved(path: string): void {
    void this.inTurn(async () => {
      const real = await realpath(path).catch(() => path);
      const state = await fileState(real, undefined, { left: 0 });
      if (state?.kind === 'file' && state.hash !== undefined) this.willWrite(real, state.hash);
    });
  }

  /** What is there becomes what is known. Returns what is different, where somebody wants to know. */
  private async look(compares: boolean): Promise<readonly ProtectedChange[]> {
    const { find, findAgain } = this.parts.protectedFiles;
    const now = new Map<string, Known>();
    const room = { left: MAX_KEPT };
    let isCut = false;
    for (const root of await realFolders(this.parts.roots())) {
      const found = await watchedFiles(root, this.parts.own(), compares ? findAgain : find);
      isCut ||= found.isCut;
      const paths = new Map(found.files);
      // What is not found any more may be gone, or only beyond what can be looked at.
      for (const [path, known] of this.known) if (known.root === root && !paths.has(path)) paths.set(path, known);
      const states = await Promise.all(
        [...paths].map(async ([path, { part, isLedTo = false }]) => {
          const state = await fileState(path, this.known.get(path)?.state, room);
          return [path, { state, part, isLedTo, root }] as const;
        }),
      );
      for (const [path, known] of states) now.set(path, known);
    }
    const changes = compares ? [...now].flatMap(([path, known]) => this.changeAt(path, known, isCut)).sort(byName) : [];
    for (const [path, known] of now) {
      const before = this.known.get(path);
      // A package that is taken away and made again is the same one with other scripts.
      if (!known.state && known.part === 'package' && before?.state) now.set(path, before);
      else if (!known.state) now.delete(path);
    }
    this.known = now;
    return changes;
  }

  private changeAt(path: string, { state: after, part, isLedTo, root }: Known, isCut: boolean): ProtectedChange[] {
    const before = this.known.get(path)?.state;
    const kind = changeOf(before, after, part);
    if (kind === undefined || (kind === 'created' && (isCut || isLedTo))) return [];
    // With its first scripts or its last ones nobody is misled.
    if (part === 'package' && (!before || !after)) return [];
    if (this.isOurs(path, after)) return [];
    const name = contains(root, path) ? relative(root, path).split(sep).join('/') : path;
    return [{ path, name, what: whatIs(name, part), kind, before, after }];
  }

  /** A person may have approved it for another command that runs. */
  private async tell(changes: readonly ProtectedChange[], { found }: WatchedCommand): Promise<void> {
    const read = [...this.running].flatMap((command) => command.read ?? []);
    const unapproved = changes.filter(({ name }) => !read.some((command) => wasNamed(name, command)));
    if (unapproved.length > 0) await found(unapproved);
  }

  private isOurs(path: string, after: FileState | undefined): boolean {
    if (!this.written.has(path)) return false;
    return this.written.get(path) === (after?.kind === 'file' ? (after.hash ?? '') : after ? '' : null);
  }

  /** One after the other. What cannot be looked at holds up no command. */
  private async inTurn(work: () => Promise<void>): Promise<void> {
    await this.looking
      .run(work)
      .catch((error: unknown) => this.parts.log.error('Protected files could not be compared', error));
  }
}

function byName(one: ProtectedChange, other: ProtectedChange): number {
  return one.name < other.name ? -1 : 1;
}

/** Where files are does not matter: they were found. */
const NOWHERE = { home: '/nowhere', roots: [] };

function whatIs(name: string, part: PartlyProtected | undefined): string {
  if (part === 'package') return 'scripts that package managers run';
  return protectedPath(name, NOWHERE)?.what ?? 'internal data of a repository';
}

async function realFolders(paths: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(paths.map((path) => realpath(path).catch(() => undefined)));
  return [...new Set(real.filter((path) => path !== undefined))];
}
