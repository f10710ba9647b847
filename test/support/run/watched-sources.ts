import { watch } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '../repo.ts';

const FOLDERS = ['extension', 'webview', 'test'];

/** Editors that save several files do so within this time. */
const TOGETHER_MS = 100;

export interface SourceChanges {
  /** The files that changed since the last call, relative to the root of the repository. Waits for a change. */
  next(): Promise<ReadonlySet<string>>;
}

export function watchSources(): SourceChanges {
  let changed = new Set<string>();
  let told = (): void => undefined;
  for (const folder of FOLDERS) {
    watch(join(repoRoot, folder), { recursive: true }, (_, name) => {
      if (name === null) return;
      changed.add(join(folder, name).replaceAll('\\', '/'));
      told();
    });
  }
  return {
    next: async () => {
      if (changed.size === 0) {
        await new Promise<void>((resolve) => {
          told = resolve;
        });
      }
      await new Promise((resolve) => setTimeout(resolve, TOGETHER_MS));
      const answer = changed;
      changed = new Set();
      return answer;
    },
  };
}
