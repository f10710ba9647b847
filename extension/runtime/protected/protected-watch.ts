import { realpath } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { InOrder } from '../../base/in-order.ts';
import { contains } from '../../files/real-path.ts';
import { protectedPath } from '../../policy/protected-paths.ts';
import { type ApprovedCommand, type NamedFile, wasNamed } from '../../policy/shell/named-in-command.ts';
import type { PartlyProtected } from '../../policy/telling-part.ts';
import type { Logger } from '../../ports/logger.ts';
import type { FilePort } from '../../ports/workspace.ts';
import type { RecentlyFound } from '../../sandbox/protected-places.ts';
import { type WatchedFile, watchedFiles } from '../../sandbox/watched-files.ts';
import { type ChangeKind, changeOf, type FileState, fileState } from './file-state.ts';

/** A protected file that changed without approval. */
export interface ProtectedChange extends NamedFile {
  /** An absolute real path. */
  readonly path: string;
  /** The path relative to the open folder, or the absolute path of a file outside of it. */
  readonly name: string;
  /** The kind of file, as a key of `protectedWords`. */
  readonly what: string;
  readonly kind: ChangeKind;
  readonly before: FileState | undefined;
  readonly after: FileState | undefined;
}

export interface WatchedCommand {
  /** Set if a person approved the command. */
  readonly read?: ApprovedCommand | undefined;
  /** Called with the changes while the command ran. */
  readonly found: (changes: readonly ProtectedChange[]) => Promise<void>;
}

export interface WatchParts {
  readonly roots: () => readonly string[];
  /** The absolute paths of folders that Gantry itself writes to. */
  readonly own: () => readonly string[];
  /** Fires when the user saves a file in an editor. Returns a function that unsubscribes. */
  readonly onDidSave?: FilePort['onDidSave'];
  /** Finds protected files. Recent results are good enough if nothing is compared, as before most commands. */
  readonly protectedFiles: Pick<RecentlyFound, 'find' | 'findAgain'>;
  readonly log: Logger;
}

/** The maximum size of all contents that are kept for restoring. */
const MAX_KEPT = 4 * 1024 * 1024;

/** The known state of a protected file. */
interface Known extends WatchedFile {
  readonly state: FileState | undefined;
  /** The open folder in which the file was found. */
  readonly root: string;
}

/**
 * Detects changes of protected files while commands run, whatever the commands claim to do. A window has one watch,
 * because the commands that its sessions run at the same time change the same files.
 */
export class ProtectedWatch {
  private known: ReadonlyMap<string, Known> = new Map();
  private readonly running = new Set<WatchedCommand>();
  /** Files that sessions wrote themselves, by path: the hash of the written content, or null for a removed file. */
  private readonly written = new Map<string, string | null>();
  private readonly looking = new InOrder();

  private readonly stopListening: (() => void) | undefined;

  constructor(private readonly parts: WatchParts) {
    this.stopListening = parts.onDidSave?.((path) => this.saved(path));
  }

  dispose(): void {
    this.stopListening?.();
  }

  /**
   * Must be called before a command starts. Call the returned function when it has ended; it resolves after reporting
   * changes.
   */
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

  /** Announces that a session writes this file itself, with all required approvals. */
  willWrite(path: string, after: string | null): void {
    this.written.set(path, after);
  }

  /** Notes that the user saved this file in an editor. */
  saved(path: string): void {
    void this.inTurn(async () => {
      const real = await realpath(path).catch(() => path);
      const state = await fileState(real, undefined, { left: 0 });
      if (state?.kind === 'file' && state.hash !== undefined) this.willWrite(real, state.hash);
    });
  }

  /** Updates the known states. Returns the differences if `compares` is set. */
  private async look(compares: boolean): Promise<readonly ProtectedChange[]> {
    const { find, findAgain } = this.parts.protectedFiles;
    const now = new Map<string, Known>();
    const room = { left: MAX_KEPT };
    let isCut = false;
    for (const root of await realFolders(this.parts.roots())) {
      const found = await watchedFiles(root, this.parts.own(), compares ? findAgain : find);
      isCut ||= found.isCut;
      const paths = new Map(found.files);
      // A file that is no longer found may be gone, or only beyond the limits of the search.
      for (const [path, known] of this.known) if (known.root === root && !paths.has(path)) paths.set(path, known);
      const states = await Promise.all(
        [...paths].map(async ([path, file]) => {
          const state = await fileState(path, this.known.get(path)?.state, room);
          return [path, { ...file, state, root }] as const;
        }),
      );
      for (const [path, known] of states) now.set(path, known);
    }
    const changes = compares ? [...now].flatMap(([path, known]) => this.changeAt(path, known, isCut)).sort(byName) : [];
    for (const [path, known] of now) {
      const before = this.known.get(path);
      // Keep the state of a removed package.json: if it is created again, its scripts are compared with the earlier
      // ones.
      if (!known.state && known.part === 'package' && before?.state) now.set(path, before);
      else if (!known.state) now.delete(path);
    }
    this.known = now;
    return changes;
  }

  private changeAt(path: string, file: Known, isCut: boolean): ProtectedChange[] {
    const { state: after, part, isLedTo, isGitData = false, root } = file;
    const before = this.known.get(path)?.state;
    const kind = changeOf(before, after, part);
    if (kind === undefined || (kind === 'created' && (isCut || isLedTo))) return [];
    // A package.json that was just created or removed cannot hide a change of its scripts.
    if (part === 'package' && (!before || !after)) return [];
    if (this.isOurs(path, after)) return [];
    const name = contains(root, path) ? relative(root, path).split(sep).join('/') : path;
    return [{ path, name, isGitData, what: whatIs(name, part), kind, before, after }];
  }

  /** Reports changes, except those that a person approved for any running command. */
  private async tell(changes: readonly ProtectedChange[], { found }: WatchedCommand): Promise<void> {
    const read = [...this.running].flatMap((command) => command.read ?? []);
    const unapproved = changes.filter((change) => !read.some((command) => wasNamed(change, command)));
    if (unapproved.length > 0) await found(unapproved);
  }

  private isOurs(path: string, after: FileState | undefined): boolean {
    if (!this.written.has(path)) return false;
    return this.written.get(path) === (after?.kind === 'file' ? (after.hash ?? '') : after ? '' : null);
  }

  /** Runs work in order. A failure is logged and does not block commands. */
  private async inTurn(work: () => Promise<void>): Promise<void> {
    await this.looking
      .run(work)
      .catch((error: unknown) => this.parts.log.error('Protected files could not be compared', error));
  }
}

function byName(one: ProtectedChange, other: ProtectedChange): number {
  return one.name < other.name ? -1 : 1;
}

/** The location does not matter, because the files were already found. */
const NOWHERE = { home: '/nowhere', roots: [] };

function whatIs(name: string, part: PartlyProtected | undefined): string {
  if (part === 'package') return 'scripts that package managers run';
  return protectedPath(name, NOWHERE)?.what ?? 'internal data of a repository';
}

async function realFolders(paths: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(paths.map((path) => realpath(path).catch(() => undefined)));
  return [...new Set(real.filter((path) => path !== undefined))];
}
