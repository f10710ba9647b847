import { lstatSync } from 'node:fs';
import { lstat, mkdir, readFile, rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { InOrder } from '../base/in-order.ts';
import { once } from '../base/once.ts';
import { processExists } from '../processes/shell/process-identity.ts';

/** A file or folder that is created where nothing exists, so that a command can't create anything there. */
export type Placeholder =
  | { readonly path: string; readonly kind: 'folder' }
  | { readonly path: string; readonly kind: 'file'; readonly text: string };

/**
 * A mount needs something to cover. The placeholder is empty, is invisible to Git, and is removed when the last command
 * that uses it ends: removing it earlier would remove the mount as well.
 */
export class Placeholders {
  private readonly uses = new Map<string, { readonly placeholder: Placeholder; count: number }>();
  /** Runs one operation at a time: a command must not remove a placeholder that the next one has just found. */
  private readonly inOrder = new InOrder();

  /** `noted` gets all current placeholders whenever one is added. */
  constructor(
    private readonly noted: (placeholders: readonly Placeholder[]) => Promise<void> = async () => undefined,
  ) {}

  /** Creates placeholders and returns those that exist because of us. Others already exist or can't be created. */
  put(wanted: readonly Placeholder[]): Promise<readonly Placeholder[]> {
    return this.inOrder.run(async () => {
      const isMade = await Promise.all(wanted.map((each) => this.uses.has(each.path) || make(each)));
      const made = wanted.filter((_, index) => isMade[index]);
      const known = this.uses.size;
      for (const placeholder of made) {
        const { count } = this.uses.get(placeholder.path) ?? { count: 0 };
        this.uses.set(placeholder.path, { placeholder, count: count + 1 });
      }
      if (this.uses.size > known) await this.noted([...this.uses.values()].map(({ placeholder }) => placeholder));
      return made;
    });
  }

  release(placeholders: readonly Placeholder[]): Promise<void> {
    return this.inOrder.run(async () => {
      const over = placeholders.filter(({ path }) => {
        const use = this.uses.get(path);
        if (use) use.count--;
        return use?.count === 0 && this.uses.delete(path);
      });
      await Promise.all(over.map((each) => remove(each).catch(() => undefined)));
    });
  }
}

async function make(placeholder: Placeholder): Promise<boolean> {
  // Most paths exist, and handling an error costs more than a check.
  if (lstatSync(placeholder.path, { throwIfNoEntry: false })) return false;
  try {
    if (placeholder.kind === 'folder') await mkdir(placeholder.path);
    else await writeFile(placeholder.path, placeholder.text, { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

/** Removes a placeholder only if it is unchanged, because the user may have used the path in the meantime. */
async function remove(placeholder: Placeholder): Promise<void> {
  const { path } = placeholder;
  if (placeholder.kind === 'folder') {
    // Fails if the folder is not empty.
    await rmdir(path);
  } else if ((await readFile(path, 'utf8')) === placeholder.text) await unlink(path);
}

/** The placeholders that a process has created, so that the next process can remove them if that one was killed. */
const record = once(() =>
  z.object({
    pid: z.number().int().positive(),
    placeholders: z.array(
      z.union([
        z.object({ path: z.string(), kind: z.literal('folder') }),
        z.object({ path: z.string(), kind: z.literal('file'), text: z.enum(['', '.\n']) }),
      ]),
    ),
  }),
);

const RECORD = 'placeholders.json';

export async function writeRecord(folder: string, placeholders: readonly Placeholder[]): Promise<void> {
  await writeFile(join(folder, RECORD), JSON.stringify({ pid: process.pid, placeholders }));
}

/**
 * Removes the placeholders of a process that was killed, and its folder. Only the user's own folders count, and only
 * unchanged placeholders.
 */
export async function removeLeft(folder: string): Promise<void> {
  const stats = await lstat(folder);
  if (!stats.isDirectory() || stats.uid !== process.getuid?.()) return;
  const { pid, placeholders } = record().parse(JSON.parse(await readFile(join(folder, RECORD), 'utf8')));
  if (processExists(pid)) return;
  for (const placeholder of placeholders) await remove(placeholder).catch(() => undefined);
  await rm(folder, { recursive: true, force: true });
}
