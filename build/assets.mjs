import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './options.mjs';

/** @type {(path: string) => boolean} */
const isUsed = (path) => !/\.(md|d\.ts|pdb)$/.test(path);

/**
 * Copies files that are used unchanged: programs and grammars that cannot be bundled, and the shipped rules. The
 * programs are for this machine; packages for other platforms get theirs from test/support/packaging.
 */
export async function copyAssets(/** @type {string} */ folder) {
  const assets = join(root, folder, 'assets');
  const platform = `${process.platform}-${process.arch}`;
  /** @type {readonly [from: string, to: string][]} */
  const copies = [
    ['node_modules/web-tree-sitter/web-tree-sitter.wasm', 'web-tree-sitter.wasm'],
    ['node_modules/tree-sitter-bash/tree-sitter-bash.wasm', 'tree-sitter-bash.wasm'],
    [`node_modules/@vscode/ripgrep-${platform}/bin`, '.'],
    ['node_modules/@lydell/node-pty', 'node_modules/@lydell/node-pty'],
    [`node_modules/@lydell/node-pty-${platform}`, `node_modules/@lydell/node-pty-${platform}`],
    ['extension/policy/shipped', 'policies'],
    ['extension/headless/bin', 'bin'],
  ];
  await mkdir(assets, { recursive: true });
  for (const [from, to] of copies) await cp(join(root, from), join(assets, to), { recursive: true, filter: isUsed });
}

/**
 * Node reads the nearest package.json before it runs a file, to learn what kind of module it is. Without this one, each
 * start would parse the extension's, which is 50 kB long.
 */
export async function writeManifest(/** @type {string} */ folder) {
  await mkdir(join(root, folder), { recursive: true });
  await writeFile(join(root, folder, 'package.json'), '{ "type": "commonjs" }\n');
}
