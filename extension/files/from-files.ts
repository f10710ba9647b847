import type { BigIntStats } from 'node:fs';
import { dirname } from 'node:path';
import { InOrder } from '../base/in-order.ts';
import type { DiskView } from './disk-view.ts';

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

  constructor(readonly view: DiskView) {}

  /** Changes whenever the file or the list of names in the folder does; empty if there is neither. */
  async stamp(path: string): Promise<string> {
    const stamp = await this.view.stamp(path);
    if (stamp === '') this.missing.set(path, undefined);
    else this.stamps.set(path, stamp);
    return stamp;
  }

  /** Notes that the value depends on which folder this is, for example after its links were followed. */
  async place(path: string): Promise<void> {
    const place = placeOf(await this.view.stats(path));
    if (place === '') this.missing.set(path, undefined);
    else this.places.set(path, place);
  }

  async areUnchanged(view: DiskView): Promise<boolean> {
    const unchanged = await Promise.all([
      ...[...this.stamps].map(async ([path, stamp]) => (await view.stamp(path)) === stamp),
      ...[...this.places].map(async ([path, place]) => placeOf(await view.stats(path)) === place),
      ...[...this.missing].map(([path, above]) => this.isStillMissing(view, path, above)),
    ]);
    return unchanged.every(Boolean);
  }

  private async isStillMissing(view: DiskView, path: string, known: Above | 'itself' | undefined): Promise<boolean> {
    if (known === 'itself') return (await view.stamp(path)) === '';
    if (known && (await view.stamp(known.folder)) === known.stamp) return true;
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
