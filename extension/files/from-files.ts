import type { BigIntStats } from 'node:fs';
import { dirname } from 'node:path';
import { InOrder } from '../base/in-order.ts';
import { DiskView, type Soon } from './disk-view.ts';

/** A value that is read from files. It is read again after one of the files changed, appeared or disappeared. */
export class FromFiles<T> {
  private last: { readonly facts: readonly unknown[]; readonly files: FilesRead; readonly value: T } | undefined;
  private readonly inOrder = new InOrder();

  /** `facts` are the other things that the value depends on. They are compared by identity. */
  current(view: DiskView, facts: readonly unknown[], read: (files: FilesRead) => Promise<T>): Promise<T> {
    return this.inOrder.run(async () => {
      if (this.last && isSame(facts, this.last.facts) && (await this.last.files.areUnchanged(view))) {
        return this.last.value;
      }
      const files = new FilesRead(view);
      const value = await read(files);
      files.finish();
      this.last = { facts, files, value };
      return value;
    });
  }
}

/** The nearest existing folder above a missing file. The file cannot appear without another stamp of this folder. */
interface Above {
  readonly folder: string;
  readonly stamp: string;
}

/** The files that a value was read from. Whoever reads a file asks for its stamp first. */
export class FilesRead {
  private readonly stamps = new Map<string, string>();
  private readonly places = new Map<string, string>();
  /** Where to look whether a missing file appeared, as far as that is known. */
  private readonly missing = new Map<string, Above | 'itself' | undefined>();

  constructor(private disk: DiskView) {}

  get view(): DiskView {
    return this.disk;
  }

  /** Lets go of the view, which may belong to a session that is closed long before the files change. */
  finish(): void {
    const { open } = this.disk;
    this.disk = new DiskView(open ? { open } : {});
  }

  /** Changes whenever the file or the list of names in the folder does; empty if there is neither. */
  async stamp(path: string): Promise<string> {
    const stamp = await this.disk.stamp(path);
    if (stamp === '') this.missing.set(path, undefined);
    else this.stamps.set(path, stamp);
    return stamp;
  }

  /** Notes that the value depends on which folder this is, for example after its links were followed. */
  async place(path: string): Promise<void> {
    const place = placeOf(await this.disk.stats(path));
    if (place === '') this.missing.set(path, undefined);
    else this.places.set(path, place);
  }

  async areUnchanged(view: DiskView): Promise<boolean> {
    // Ask about all files at once, so that the answers of another thread come together.
    for (const path of this.stamps.keys()) void view.stamp(path);
    for (const path of this.places.keys()) void view.stats(path);
    const missing = [...this.missing].map(([path, above]) => this.isStillMissing(view, path, above));
    for (const [path, stamp] of this.stamps) {
      const now = view.stamp(path);
      if ((typeof now === 'string' ? now : await now) !== stamp) return false;
    }
    for (const [path, place] of this.places) {
      const now = view.stats(path);
      if (placeOf(now instanceof Promise ? await now : now) !== place) return false;
    }
    for (const isMissing of missing) if (!(typeof isMissing === 'boolean' ? isMissing : await isMissing)) return false;
    return true;
  }

  private isStillMissing(view: DiskView, path: string, known: Above | 'itself' | undefined): Soon<boolean> {
    if (!known) return this.lookAgain(view, path);
    const stamp = view.stamp(known === 'itself' ? path : known.folder);
    const decide = (now: string): Soon<boolean> => {
      if (known === 'itself') return now === '';
      return now === known.stamp || this.lookAgain(view, path);
    };
    return typeof stamp === 'string' ? decide(stamp) : stamp.then(decide);
  }

  private async lookAgain(view: DiskView, path: string): Promise<boolean> {
    const above = await nearestAbove(view, path);
    this.missing.set(path, above ?? 'itself');
    return above !== undefined || (await view.stamp(path)) === '';
  }
}

/** Undefined if the file is not missing, or may appear without another stamp of a folder above it. */
async function nearestAbove(view: DiskView, path: string): Promise<Above | undefined> {
  let below = path;
  let folder = dirname(path);
  let stamp = await view.stamp(folder);
  while (stamp === '' && folder !== below) {
    below = folder;
    folder = dirname(folder);
    stamp = await view.stamp(folder);
  }
  // Examined after the folder: a file that appears in between changes the folder's stamp later, or is found now.
  return stamp !== '' && (await view.isAbsent(below, folder)) ? { folder, stamp } : undefined;
}

function placeOf(stats: BigIntStats | undefined): string {
  return stats ? `${stats.dev} ${stats.ino}` : '';
}

function isSame(facts: readonly unknown[], before: readonly unknown[]): boolean {
  return facts.length === before.length && facts.every((fact, at) => fact === before[at]);
}
