import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './options.mjs';

/**
 * Escapes the characters beyond ASCII, which esbuild leaves in regular expressions. With one of them, V8 keeps the
 * whole bundle with two bytes per character, and takes longer to read it.
 * @type {import('esbuild').Plugin}
 */
export const asciiOnly = {
  name: 'ascii-only',
  setup(build) {
    build.onEnd(async ({ metafile }) => {
      const scripts = Object.keys(metafile?.outputs ?? {}).filter((path) => path.endsWith('.js'));
      for (const path of scripts.map((name) => join(root, name))) {
        const text = await readFile(path, 'utf8');
        const escaped = text.replace(
          /[\u0080-\uffff]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
        );
        if (escaped !== text) await writeFile(path, escaped);
      }
    });
  },
};
