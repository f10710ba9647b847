import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cachedFolder } from '../cache/cached.ts';
import { unpackNpmPackage } from '../cache/npm-package.ts';
import { CommandError, runNpm } from '../command.ts';
import { nodePackageFor, type Release, type ReleaseRecipe, recipes } from './releases.ts';
import { writeNativeShims } from './shims.ts';

export interface VsCodeInstall {
  readonly release: Release;
  /** Such as `1.100.3`. */
  readonly version: string;
  readonly node: string;
  readonly serverMain: string;
}

/** Increase this when the recipe below changes, so that older caches are created again. */
const recipeRevision = 1;

/** The dependencies that the server and the web workbench load. The others are large and for unused features. */
const neededDependencies =
  /^(@parcel\/watcher|@vscode\/(deviceid|fs-copyfile|iconv-lite-umd|proxy-agent|ripgrep(-universal)?|tree-sitter-wasm|vscode-languagedetection)|@microsoft\/1ds-.*|@xterm\/.*|cookie|detect-libc|https?-proxy-agent|jschardet|katex|minimist|node-pty|tar|tas-client(-umd)?|vscode-.*|ws|yauzl|yazl|zod)$/;

/**
 * Built-in extensions that are removed: 100 MB, and one of them is an agent itself. Smaller unneeded ones stay, because
 * the workbench has their names built in and reports each missing one as an error.
 */
const unwantedExtensions: readonly string[] = [
  'copilot',
  'mermaid-markdown-features',
  'microsoft-authentication',
  'ms-vscode.js-debug',
  'ms-vscode.vscode-js-profile-table',
];

/**
 * Downloads VS Code from npm to the cache, once per machine and version. Safe to call from several processes at a time.
 */
export async function ensureVsCode(release: Release): Promise<VsCodeInstall> {
  const recipe = recipes[release];
  const folder = await cachedFolder(
    `vscode-${recipe.vscode}-${process.platform}-${process.arch}-r${recipeRevision}`,
    `VS Code ${recipe.vscode}`,
    (into) => install(recipe, into),
  );
  const node = join(folder, 'node');
  return {
    release,
    version: recipe.vscode,
    node: join(node, await nodeBinaryIn(node)),
    serverMain: join(folder, 'vscode', 'out', 'server-main.js'),
  };
}

async function install(recipe: ReleaseRecipe, folder: string): Promise<void> {
  const nodePackage = nodePackageFor(process.platform, process.arch);
  if (nodePackage === undefined) {
    throw new Error(
      `No Node ${recipe.node} on npm for ${process.platform}-${process.arch}: VS Code ${recipe.vscode} cannot run here.`,
    );
  }
  const vscode = join(folder, 'vscode');
  try {
    await Promise.all([
      unpackNpmPackage(`${nodePackage}@${recipe.node}`, join(folder, 'node'), {
        excludes: ['package/include', 'package/share'],
      }),
      unpackNpmPackage(`code-server@${recipe.codeServer}`, vscode, {
        member: 'package/lib/vscode',
        excludes: ['*.map', ...unwantedExtensions.map((name) => `package/lib/vscode/extensions/${name}`)],
      }),
    ]);
    await trimDependencies(join(vscode, 'package.json'), recipe);
    const installArgs = ['install', '--omit=dev', '--ignore-scripts', '--no-save'];
    await Promise.all([
      runNpm([...installArgs, '--prefix', vscode], vscode),
      runNpm([...installArgs, '--prefix', join(vscode, 'extensions')], join(vscode, 'extensions')),
    ]);
  } catch (error) {
    throw explain(error, recipe);
  }
  await writeNativeShims(join(vscode, 'node_modules'));
}

async function trimDependencies(manifestPath: string, recipe: ReleaseRecipe): Promise<void> {
  const manifest = JSON.parse(await readFile(manifestPath, 'utf8')) as { dependencies: Record<string, string> };
  const kept = Object.entries(manifest.dependencies).filter(([name]) => neededDependencies.test(name));
  const dependencies = { ...Object.fromEntries(kept), ...recipe.prebuilt };
  await writeFile(manifestPath, JSON.stringify({ ...manifest, dependencies, overrides: {} }, undefined, 2));
}

async function nodeBinaryIn(folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { bin: { node: string } };
  return manifest.bin.node;
}

function explain(error: unknown, recipe: ReleaseRecipe): unknown {
  if (!(error instanceof CommandError)) {
    return error;
  }
  const what = `VS Code ${recipe.vscode} could not be installed. `;
  if (/ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ECONNRESET|network/i.test(error.output)) {
    return new Error(`${what}The npm registry cannot be reached: check the network and npm's registry setting.`, {
      cause: error,
    });
  }
  if (/\bE404\b|ETARGET/.test(error.output)) {
    return new Error(`${what}The npm registry in use does not have a package that is needed.`, { cause: error });
  }
  if (error.command.startsWith('tar ')) {
    return new Error(`${what}The program "tar" is missing or failed.`, { cause: error });
  }
  return new Error(`${what}${error.message}`, { cause: error });
}
