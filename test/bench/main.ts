import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { print } from '../support/output.ts';
import { repoRoot } from '../support/repo.ts';
import { lineOf, machine, type Result, resultOf } from './report.ts';
import { createTable } from './table.ts';

/**
 * `npm run bench [-- --only TEXT] [-- --peers]`: prints each measurement beside its budget, and writes `out/bench.json`. It
 * fails if a budget is exceeded.
 */
const { values: flags } = parseArgs({
  options: { only: { type: 'string', default: '' }, peers: { type: 'boolean', default: false } },
});
const wanted = flags.only.toLowerCase();
const table = createTable({ withPeers: flags.peers }).filter(({ name }) => name.toLowerCase().includes(wanted));
if (table.length === 0) throw new Error(`No measurement has "${flags.only}" in its name.`);

const start = machine();
const results: Result[] = [];
for (const measurement of table) {
  const result = await resultOf(measurement);
  results.push(result);
  print(lineOf(result));
}
await writeFile(join(repoRoot, 'out/bench.json'), `${JSON.stringify({ machine: start, results }, undefined, 2)}\n`);

const missed = results.filter(({ ok }) => !ok);
print(
  `\n${results.length - missed.length} of ${results.length} within their budget or without one; out/bench.json has all.`,
);
if (missed.length > 0) print(`Missed:\n${missed.map((result) => `  ${result.name}`).join('\n')}`);
process.exit(missed.length === 0 ? 0 : 1);
