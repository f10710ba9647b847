import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import Mocha from 'mocha';
import { print } from './support/output.ts';
import { repoRoot } from './support/repo.ts';
import { describeError, lineReporter, runMocha, type TestCounts } from './support/reporter.ts';
import { builtPath } from './support/run/test-files.ts';
import type { FileResult } from './support/run/test-process.ts';
import { isFullRun } from './support/test-size.ts';

interface SuiteOptions {
  readonly timeout: string;
  readonly grep?: string | undefined;
}

/**
 * Runs built test files with mocha in this process: node out/test/suite.mjs [--timeout 10000] [--grep text] files…
 * With --at test/unit/some.test.ts:42 it runs the test that stands there: that is how an editor debugs it.
 * With --serve, the process that forked it sends the files, one after another.
 */
async function main(): Promise<void> {
  // The same values in each `npm test`, so that only a change makes it fail; `npm run test:all` looks for new ones.
  if (!isFullRun) fc.configureGlobal({ seed: 1 });
  const { values, positionals } = parseArgs({
    options: {
      timeout: { type: 'string', default: '10000' },
      grep: { type: 'string' },
      at: { type: 'string' },
      serve: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  if (values.serve) {
    serve(values);
    return;
  }
  const { files, grep } = values.at === undefined ? { files: positionals, grep: values.grep } : await testAt(values.at);
  const { failed } = await runFiles(files, { ...values, grep }, print);
  // A test that leaves a timer or socket behind must not keep the run waiting.
  process.exit(failed > 0 ? 1 : 0);
}

async function testAt(place: string): Promise<{ readonly files: readonly string[]; readonly grep: string }> {
  const [, path = '', line] = /^(.*):(\d+)$/.exec(place) ?? [];
  const above = (await readFile(join(repoRoot, path), 'utf8')).split('\n').slice(0, Number(line));
  const title = above.findLast((text) => TITLE.test(text))?.match(TITLE)?.[2];
  if (title === undefined) throw new Error(`There is no test at or above ${place}.`);
  const parts = title.split(/\$\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return { files: [builtPath(relative('test', path).replaceAll('\\', '/'))], grep: parts.join('.*') };
}

const TITLE = /^\s*(?:it|journey)\((['"`])(.*)\1/;

function serve(options: SuiteOptions): void {
  process.on('message', (path: string) => {
    const lines: string[] = [];
    runFiles([path], options, (line) => lines.push(line)).then(
      (counts) => process.send?.({ counts, lines } satisfies FileResult),
      (error: unknown) => {
        const text = describeError(error);
        const counts = { passed: 0, failed: 1, pending: 0, failures: [`${path}\n${text}`] };
        process.send?.({ counts, lines: [`✗ ${text}`] } satisfies FileResult);
      },
    );
  });
  process.on('disconnect', () => process.exit(0));
}

async function runFiles(
  files: readonly string[],
  { timeout, grep }: SuiteOptions,
  write: (line: string) => void,
): Promise<TestCounts> {
  const mocha = new Mocha({
    timeout: Number(timeout),
    reporter: lineReporter(write),
    forbidOnly: true,
    ...(grep === undefined ? {} : { grep }),
  });
  for (const file of files) mocha.addFile(file);
  await mocha.loadFilesAsync();
  const counts = await runMocha(mocha);
  // An error that comes later ends the process, and is not taken for one of the next file.
  mocha.dispose();
  return counts;
}

main().catch((error: unknown) => {
  print(describeError(error));
  process.exit(2);
});
