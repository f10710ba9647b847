import { lstatSync } from 'node:fs';
import { mkdir, readFile, rmdir, unlink, writeFile } from 'node:fs/promises';
import { InOrder } from '../base/in-order.ts';

/** Something that is put where nothing is, so that a command cannot put anything there. */
export type Placeholder =
  | { readonly path: string; readonly kind: 'folder' }
  | { readonly path: string; readonly kind: 'file'; readonly text: string };

/**
 * A mount needs something to lie on. What is put there is empty, is not seen by Git and goes when the last command that
 * runs ends: taking it away earlier would take the mount away as well.
 */
export class Placeholders {
  private readonly uses = new Map<string, number>();
  /** One after the other: what one command takes away must not be what the next one has just found. */
  private readonly inOrder = new InOrder();

  /** Those that are there now because of us. The others exist, or nobody can make them. */
  put(wanted: readonly Placeholder[]): Promise<readonly Placeholder[]> {
    return this.inOrder.run(async () => {
      const isMade = await Promise.all(wanted.map((each) => this.uses.has(each.path) || make(each)));
      const made = wanted.filter((_, index) => isMade[index]);
      for (const { path } of made) this.uses.set(path, (this.uses.get(path) ?? 0) + 1);
      return made;
    });
  }

  release(placeholders: readonly Placeholder[]): Promise<void> {
    return this.inOrder.run(async () => {
      const over = placeholders.filter(({ path }) => {
        const left = (this.uses.get(path) ?? 1) - 1;
        if (left > 0) this.uses.set(path, left);
        return left <= 0 && this.uses.delete(path);
      });
      await Promise.all(over.map((each) => remove(each).catch(() => undefined)));
    });
  }
}

async function make(placeholder: Placeholder): Promise<boolean> {
  // Most are there, or were never wanted: an error costs more than a look.
  if (lstatSync(placeholder.path, { throwIfNoEntry: false })) return false;
  try {
    if (placeholder.kind === 'folder') await mkdir(placeholder.path);
    else await writeFile(placeholder.path, placeholder.text, { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

/** Only what is as it was made: the user may have used the name meanwhile. */
async function remove(placeholder: Placeholder): Promise<void> {
  const { path } = placeholder;
  if (placeholder.kind === 'folder') {
    // Fails where something is in it.
    await rmdir(path);
  } else if ((await readFile(path, 'utf8')) === placeholder.text) await unlink(path);
}
