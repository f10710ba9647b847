import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, describe, it } from 'mocha';
import { windowsPathProblem } from '../../extension/files/windows-path.ts';
import type { Tool, ToolResult } from '../../extension/ports/tool.ts';
import { DiskFiles } from '../../extension/sessions/files/disk-files.ts';
import { createReadFileTool } from '../../extension/tools/files/read-file.ts';
import { createReadManyFilesTool } from '../../extension/tools/files/read-many-files.ts';
import { createReplaceTool } from '../../extension/tools/files/replace.ts';
import { createWriteFileTool } from '../../extension/tools/files/write-file.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';
import { createToolContext } from '../support/tool-context.ts';
import corpus from './paths.corpus.json';

interface Entry {
  readonly what: string;
  /** Of a file that exists, for reading and overwriting. */
  readonly path?: string;
  /** Of a file that does not exist, for creating. */
  readonly fresh?: string;
  /** The folder it lies in, when it is allowed; every other path has to be refused. */
  readonly means?: string;
  readonly freshMeans?: string;
  readonly platform?: string;
  readonly advisory?: string;
}

/** Where the user's folder is, and what else is around it. */
interface Layout {
  readonly title: string;
  readonly roots: readonly string[];
}

const LAYOUTS: readonly Layout[] = [
  { title: 'one folder, beside one that begins like it', roots: ['app'] },
  { title: 'a folder opened through a link', roots: ['opened'] },
  { title: 'several folders', roots: ['app', 'lib'] },
];

const FOLDERS = ['app/src', 'app/cafe\u0301', 'app/na\u00efve', 'app/..src', 'lib', 'outside', 'app-evil'];
const LINKS: readonly [from: string, to: string][] = [
  ['opened', 'app'],
  ['app/inside', 'src'],
  ['app/link', '../outside'],
  ['app/link.ts', '../outside/a.ts'],
  ['app/dangling.ts', '../outside/fresh.ts'],
  ['app/chain', 'link'],
  ['app/loop', 'loop'],
];

describe('Path corpus', () => {
  for (const layout of LAYOUTS) {
    describe(layout.title, () => {
      let folder: TempFolder;

      before(async () => {
        folder = await tempFolder('paths');
        for (const name of FOLDERS) {
          await mkdir(join(folder.path, name), { recursive: true });
          await writeFile(join(folder.path, name, 'a.ts'), `content of ${name}\n`);
        }
        for (const [from, to] of LINKS) await symlink(to, join(folder.path, from));
      });
      after(() => folder.dispose());

      const run = (tool: Tool, args: Record<string, unknown>): Promise<ToolResult> => {
        const roots = layout.roots.map((name) => join(folder.path, name));
        const files = new DiskFiles({ roots: () => roots });
        const writeFile = async (path: string, content: Uint8Array | undefined): Promise<void> => {
          await files.write(path, content);
        };
        return tool.execute(tool.schema.parse(args), createToolContext(roots, { writeFile }));
      };
      const inPlace = (path: string): string => {
        const [root = ''] = layout.roots.map((name) => join(folder.path, name));
        const values: Readonly<Record<string, string>> = {
          root,
          rootName: basename(root),
          rootUri: pathToFileURL(root).href,
          parent: folder.path,
          outside: join(folder.path, 'outside'),
          outsideUri: pathToFileURL(join(folder.path, 'outside')).href,
          long: 'x'.repeat(5000),
        };
        return path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
      };

      for (const entry of corpus as readonly Entry[]) {
        if (entry.platform !== undefined && entry.platform !== process.platform) continue;
        const { path, fresh, means, freshMeans = means } = entry;
        const verb = means === undefined ? 'refuses' : 'understands';
        if (path !== undefined) {
          it(`reading ${verb} ${entry.what}`, async () => {
            const result = await run(createReadFileTool(), { file_path: inPlace(path) });
            if (means !== undefined) assert.equal(result.content, `content of ${means}\n`);
            else assertRefused(result);
            if (means === undefined) await refusesEverywhereElse(run, inPlace(path));
          });

          it(`overwriting ${verb} ${entry.what}`, async () => {
            const world = await contents(folder.path);
            const content = `changed ${entry.what}\n`;
            const result = await run(createWriteFileTool(), { file_path: inPlace(path), content });
            if (means !== undefined) {
              assert.equal(result.error, undefined, result.error?.message);
              const target = join(folder.path, means, 'a.ts');
              assert.equal(await readFile(target, 'utf8'), content);
              await writeFile(target, `content of ${means}\n`);
            } else if (isNewName(entry)) await undo(folder.path, world);
            else assertRefused(result);
            assert.deepEqual(await contents(folder.path), world);
          });
        }
        if (fresh !== undefined) {
          it(`creating ${verb} ${entry.what}`, async () => {
            const world = await contents(folder.path);
            const result = await run(createWriteFileTool(), { file_path: inPlace(fresh), content: 'new\n' });
            if (freshMeans !== undefined) {
              assert.equal(result.error, undefined, result.error?.message);
              assert.equal(await readFile(join(folder.path, freshMeans, 'fresh.ts'), 'utf8'), 'new\n');
              await undo(folder.path, world);
            } else assertRefused(result);
            assert.deepEqual(await contents(folder.path), world);
          });
        }
      }
    });
  }

  describe('on Windows', () => {
    for (const { what, path, fresh, platform } of corpus as readonly Entry[]) {
      if (platform !== 'win32') continue;
      it(`refuses ${what}`, () => {
        for (const each of [path, fresh]) assert.notEqual(windowsPathProblem(each ?? '', ['C:\\app']), undefined, each);
      });
    }
  });
});

/** A plain path is never decoded: there is no such file, and creating it would be harmless. */
function isNewName({ path }: Entry): boolean {
  return path?.startsWith('%2e') ?? false;
}

function assertRefused({ content, error }: ToolResult): void {
  assert.ok(error, 'it was not refused');
  assert.equal(content, '');
  assert.doesNotMatch(error.message, /content of/);
}

/** Every other tool with a path goes the same way. */
async function refusesEverywhereElse(
  run: (tool: Tool, args: Record<string, unknown>) => Promise<ToolResult>,
  path: string,
): Promise<void> {
  const args = { file_path: path, instruction: 'test', old_string: 'content', new_string: 'changed' };
  assertRefused(await run(createReplaceTool(), args));
  if (path.endsWith('/app') || path.endsWith('/opened')) return;
  const many = await run(createReadManyFilesTool(), { include: [path, `${path}*`] });
  assert.doesNotMatch(JSON.stringify(many), /content of/);
}

async function contents(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: Record<string, string> = {};
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    found[relative(folder, path)] = await readFile(path, 'utf8');
  }
  return found;
}

/** Removes what was created, with the folders that were made for it. */
async function undo(folder: string, world: Readonly<Record<string, string>>): Promise<void> {
  for (const name of Object.keys(await contents(folder))) {
    if (world[name] !== undefined) continue;
    await rm(join(folder, name));
    const parent = dirname(join(folder, name));
    if ((await readdir(parent)).length === 0) await rm(parent, { recursive: true });
  }
}
