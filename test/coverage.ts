import { spawnSync } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { z } from 'zod';
import { print } from './support/output.ts';
import { repoRoot } from './support/repo.ts';

/**
 * `npm run coverage [-- --grep TEXT]`: runs the unit and security tests and prints the share of lines that they run, by
 * folder of `extension`. It fails if a folder that others build on is below its bar. Files that no test loads aren't
 * counted.
 */
const AT_LEAST = 80;
const WITH_A_BAR: ReadonlySet<string> = new Set(['scheduler', 'policy', 'sessions', 'runtime', 'model', 'safety']);
const reports = join(repoRoot, 'out/coverage');
const raw = join(reports, 'v8');

await rm(reports, { recursive: true, force: true });
const tests = run(['out/run.mjs', '--only', 'unit', ...process.argv.slice(2)], { NODE_V8_COVERAGE: raw });
for (const name of await readdir(raw)) await withoutSourceMaps(join(raw, name));
if (run(['node_modules/c8/bin/c8.js', 'report'], {}) !== 0) throw new Error('c8 made no report.');
const isEnough = printFolders(await readFile(join(reports, 'coverage-summary.json'), 'utf8'));
process.exitCode = tests === 0 && isEnough ? 0 : 1;

function run(args: readonly string[], env: Readonly<Record<string, string>>): number | null {
  return spawnSync(process.execPath, args, { cwd: repoRoot, stdio: 'inherit', env: { ...process.env, ...env } }).status;
}

/** With the source maps that Node adds, c8 12.0.0 finds no functions in a bundle. Without, it reads those of the files. */
async function withoutSourceMaps(path: string): Promise<void> {
  const { result } = z
    .object({ result: z.array(z.looseObject({ url: z.string() })) })
    .parse(JSON.parse(await readFile(path, 'utf8')));
  await writeFile(
    path,
    JSON.stringify({ result: result.filter(({ url }) => url.startsWith('file:') && url.includes('/out/')) }),
  );
}

function printFolders(json: string): boolean {
  const schema = z.record(z.string(), z.object({ lines: z.object({ total: z.number(), covered: z.number() }) }));
  const folders = new Map<string, { readonly total: number; readonly covered: number }>();
  for (const [path, { lines }] of Object.entries(schema.parse(JSON.parse(json)))) {
    const [top, folder = '', file] = relative(repoRoot, path).split(sep);
    if (top !== 'extension' || file === undefined) continue;
    const { total, covered } = folders.get(folder) ?? { total: 0, covered: 0 };
    folders.set(folder, { total: total + lines.total, covered: covered + lines.covered });
  }
  const shares = [...folders].map(([folder, { total, covered }]) => ({
    folder,
    total,
    percent: (100 * covered) / total,
  }));
  for (const { folder, total, percent } of shares.sort((left, right) => left.folder.localeCompare(right.folder))) {
    const mark = WITH_A_BAR.has(folder) ? (percent < AT_LEAST ? '✗' : '✓') : ' ';
    print(`${mark} ${folder.padEnd(20)} ${percent.toFixed(1).padStart(5)} % of ${total.toLocaleString('en-US')} lines`);
  }
  const enough = new Set(shares.filter(({ percent }) => percent >= AT_LEAST).map(({ folder }) => folder));
  return [...WITH_A_BAR].every((folder) => enough.has(folder));
}
