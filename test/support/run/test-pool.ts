import { describeError, type TestCounts } from '../reporter.ts';
import type { RememberedTests } from './remembered-tests.ts';
import type { Write } from './steps.ts';
import { builtPath } from './test-files.ts';
import { type FileResult, TestProcess, type TestProcessOptions } from './test-process.ts';

export interface PoolOptions extends TestProcessOptions {
  readonly files: readonly string[];
  readonly processes: number;
  readonly remembered: RememberedTests;
  readonly write: Write;
  /** Files that wait for `when`. If it resolves to false, they are skipped: another step has reported the failure. */
  readonly later?: { readonly files: readonly string[]; readonly when: Promise<boolean> };
}

/** Runs test files in several processes, slow ones first. The output of each file stays together. */
export async function runPool({
  files,
  later,
  processes,
  remembered,
  write,
  ...options
}: PoolOptions): Promise<TestCounts> {
  const longestFirst = (names: readonly string[]): string[] => {
    const times = names.map((name) => [name, remembered.milliseconds(name)] as const);
    return times.sort(([, a], [, b]) => b - a).map(([name]) => name);
  };
  let queue = longestFirst(files);
  const all = later?.when.then((isThere) => {
    if (isThere) queue = longestFirst([...queue, ...later.files]);
    return undefined;
  });
  const next = async (): Promise<string | undefined> => queue.shift() ?? all?.then(() => queue.shift());
  const results: TestCounts[] = [];

  const fail = (file: string, error: unknown): void => {
    write(`\n${file}\n✗ ${describeError(error)}`);
    results.push({ passed: 0, failed: 1, pending: 0, failures: [`${file}\n${describeError(error)}`] });
  };

  const work = async (): Promise<void> => {
    let worker: TestProcess | undefined;
    for (let file = await next(), last = file; file !== undefined; last = file, file = await next()) {
      if (worker?.hasEnded) {
        fail(last ?? file, new Error('The test process ended after the tests of this file.'));
        worker = undefined;
      }
      worker ??= new TestProcess(options);
      try {
        const { counts, lines } = await worker.run(builtPath(file));
        report(file, { counts, lines }, write);
        results.push(counts);
        if (options.grep === undefined) remembered.remember(file, counts.tests ?? []);
      } catch (error) {
        fail(file, error);
        worker = undefined;
      }
    }
    await worker?.end();
  };
  const count = Math.min(processes, files.length + (later?.files.length ?? 0));
  await Promise.all(Array.from({ length: count }, work));
  return sum(results);
}

function report(file: string, { counts, lines }: FileResult, write: Write): void {
  // With --grep, most files have no matching test.
  if (counts.passed + counts.failed + counts.pending === 0) return;
  write(`\n${file}`);
  for (const line of lines) write(line);
}

function sum(results: readonly TestCounts[]): TestCounts {
  const total = (count: (result: TestCounts) => number): number =>
    results.reduce((whole, result) => whole + count(result), 0);
  return {
    passed: total(({ passed }) => passed),
    failed: total(({ failed }) => failed),
    pending: total(({ pending }) => pending),
    tests: results.flatMap(({ tests = [] }) => tests),
    failures: results.flatMap(({ failures = [] }) => failures),
  };
}
