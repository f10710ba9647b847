import { readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { readBeginning } from '../files/read-beginning.ts';
import { contains, resolveRealPath } from '../files/real-path.ts';
import { extensionPlaces } from './config-catalogs.ts';
import { ConfigDocument } from './config-document.ts';
import { documentKind } from './document-kind.ts';
import { Workspace } from './workspace.ts';

/** More than a real project and home folder have. */
const MAX_FILES = 1000;
/** The longest file of these kinds that the runtime reads. */
const MAX_BYTES = 1024 * 1024;

/** The folders in `.gemini` with files that configure the agent, and files directly in it. */
const FOLDERS = ['', 'policies', 'agents', 'hooks'];
/** Folders whose files are in folders, and how deep. Commands of real projects are in two. */
const DEEP: readonly (readonly [name: string, depth: number])[] = [
  ['commands', 4],
  ['skills', 1],
];

/**
 * The files on the disk that configure the agent in the open folders and at home, also those of extensions. In
 * Restricted Mode there are none.
 */
export const configFiles = Workspace.once(async (workspace): Promise<readonly ConfigDocument[]> => {
  const { options, isTrusted } = workspace;
  if (!isTrusted) return [];
  const found = [options.home, ...options.roots].map(async (folder) => {
    const gemini = join(folder, '.gemini');
    const extensions = await namesIn(join(gemini, 'extensions'));
    const homes = [gemini, ...extensions.map((name) => join(gemini, 'extensions', name))];
    const flat = [folder, join(folder, '.vscode')].map(pathsIn);
    const paths = await Promise.all([...flat, ...[...homes, join(folder, '.agents')].flatMap(pathsInHome)]);
    return paths.flat().map((path) => ({ path, within: folder }));
  });
  const extensions = await extensionPlaces(workspace);
  const developed = extensions.map(async (folder) => {
    const paths = await Promise.all(pathsInHome(folder));
    return paths.flat().map((path) => ({ path, within: folder }));
  });
  const named = options.policyPaths.map(async (path) => {
    const paths = path.endsWith('.toml') ? [path] : await pathsIn(path);
    return paths.map((each) => ({ path: each, within: dirname(each) }));
  });
  const places = new Map(
    (await Promise.all([...found, ...developed, ...named])).flat().map((place) => [place.path, place]),
  );
  const wanted = [...places.values()]
    .filter(({ path }) => documentKind(path, options, { extensions }))
    .slice(0, MAX_FILES);
  const read = await Promise.all(wanted.map(({ path, within }) => readConfigFile(path, within, workspace)));
  return read.flatMap((file) => file ?? []);
});

/** The files in `.gemini`, or in the folder of an extension. */
function pathsInHome(home: string): readonly Promise<readonly string[]>[] {
  return [
    ...FOLDERS.map((at) => pathsIn(join(home, at))),
    ...DEEP.map(([name, depth]) => pathsBelow(join(home, name), depth)),
  ];
}

async function readConfigFile(path: string, within: string, workspace: Workspace): Promise<ConfigDocument | undefined> {
  const { path: folder } = await resolveRealPath(resolve(within));
  // A link must not bring in files from elsewhere.
  const read = await readBeginning(path, MAX_BYTES, (real) => contains(folder, real));
  if ('failed' in read || read.isCut) return undefined;
  return new ConfigDocument(TextDocument.create(workspace.uriOf(path), '', 0, read.text), path);
}

async function pathsIn(folder: string): Promise<readonly string[]> {
  return (await namesIn(folder)).map((name) => join(folder, name));
}

/** The files in a folder and its subfolders. Links to folders are not followed, because they may form a circle. */
async function pathsBelow(folder: string, depth: number): Promise<readonly string[]> {
  const items = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const inside = items.slice(0, MAX_FILES).map(async (item) => {
    const path = join(folder, item.name);
    if (!item.isDirectory()) return [path];
    return depth > 0 ? pathsBelow(path, depth - 1) : [];
  });
  return (await Promise.all(inside)).flat();
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).then(
    (names) => names.sort(),
    () => [],
  );
}
