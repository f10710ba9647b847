import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './options.mjs';

const ENTRY = 'protocol/agent/gantry-api.d.ts';

/** Writes gantry.d.ts, in which other extensions find the types of the API and of its events. */
export async function writeApiTypes(/** @type {string} */ folder) {
  const declarations = join(root, 'out', 'api-types');
  await rm(declarations, { recursive: true, force: true });
  await declare(declarations);
  const found = await declarationsFrom(join(declarations, ENTRY));
  const statements = used(found, ['GantryApi', 'ApprovalAnswer']);
  const head = '// The types of the API that Gantry gives to other extensions. See docs/api.md.';
  await mkdir(join(root, folder), { recursive: true });
  await writeFile(join(root, folder, 'gantry.d.ts'), `${[head, ...statements].join('\n\n')}\n`);
}

/** Writes one file of declarations for each module. Errors in types are for `npm run types` to report. */
async function declare(/** @type {string} */ folder) {
  const compiler = ['--declaration', '--emitDeclarationOnly', '--noCheck', '--ignoreConfig', '--strict', '--types', ''];
  const modules = ['--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler'];
  const places = ['--allowImportingTsExtensions', '--rootDir', 'extension', '--outDir', folder];
  const entry = join('extension', ENTRY.replace('.d.ts', '.ts'));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [tsc, entry, ...compiler, ...modules, ...places], { cwd: root });
}

/**
 * The statements of a file and of all that it imports, by the name that they declare.
 * @type {(path: string, found?: Map<string, string>, seen?: Set<string>) => Promise<Map<string, string>>}
 */
async function declarationsFrom(path, found = new Map(), seen = new Set()) {
  if (seen.has(path)) return found;
  seen.add(path);
  const text = await readFile(path, 'utf8');
  for (const [name, statement] of statementsOf(text)) {
    if (found.has(name)) throw new Error(`Two files of the API declare ${name}.`);
    found.set(name, statement);
  }
  for (const [, imported = ''] of text.matchAll(/ from '(\..*)\.ts';$/gm)) {
    await declarationsFrom(join(dirname(path), `${imported}.d.ts`), found, seen);
  }
  return found;
}

/** The comment before a statement. */
const COMMENT = '(?:\\/\\*\\*(?:(?!\\*\\/)[\\s\\S])*\\*\\/\\n)?';

/** TypeScript begins only statements with a word at the start of a line, so the next such word ends the one before. */
const STATEMENT = new RegExp(
  `^${COMMENT}(?:export |declare )*(?:interface|type|class|const|function) (\\w+)` +
    `[\\s\\S]*?(?=\\n${COMMENT}(?:export|declare|interface|type|import) |\\nexport \\{|$(?![\\s\\S]))`,
  'gm',
);

/** @type {(text: string) => readonly (readonly [name: string, statement: string])[]} */
const statementsOf = (text) =>
  [...text.matchAll(STATEMENT)].map(
    ([statement, name = '']) => /** @type {const} */ ([name, typesOnly(statement.trimEnd())]),
  );

/** Only types are shipped, so a class becomes the interface of its public members. */
const typesOnly = (/** @type {string} */ statement) =>
  statement
    .replace(/^export declare class (\w+) implements /m, 'export interface $1 extends ')
    .replace(/^ {4}(private .*|constructor\(.*\));\n/gm, '')
    .replace(/^ {4}get (\w+)\(\)/gm, '    readonly $1')
    .replace(/^export declare const /m, 'declare const ');

/**
 * These types and what they need, in the order in which it is mentioned.
 * @type {(found: ReadonlyMap<string, string>, roots: readonly string[]) => readonly string[]}
 */
function used(found, roots) {
  const names = new Set(roots);
  // A set also yields what is added to it meanwhile.
  for (const name of names) {
    const code = found.get(name)?.replace(/\/\*\*[\s\S]*?\*\//g, '') ?? '';
    for (const [word] of code.matchAll(/\w+/g)) if (found.has(word)) names.add(word);
  }
  return [...names].map((name) => found.get(name) ?? '');
}
