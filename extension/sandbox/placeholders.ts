import { mkdir, readdir, readFile, rmdir, unlink, writeFile } from 'node:fs/promises';
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
      const made: Placeholder[] = [];
      for (const each of wanted) if (this.uses.has(each.path) || (await make(each))) made.push(each);
      for (const { path } of made) this.uses.set(path, (this.uses.get(path) ?? 0) + 1);
      return made;
    });
  }

  release(placeholders: readonly Placeholder[]): Promise<void> {
    return this.inOrder.run(async () => {
      for (const each of placeholders) {
        const left = (this.uses.get(each.path) ?? 1) - 1;
        if (left > 0) this.uses.set(each.path, left);
        else if (this.uses.delete(each.path)) await remove(each).catch(() => undefined);
      }
    });
  }
}

async function make(placeholder: Placeholder): Promise<boolean> {
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
    if ((await readdir(path)).length === 0) await rmdir(path);
  } else if ((await readFile(path, 'utf8')) === placeholder.text) await unlink(path);
}
