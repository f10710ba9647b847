import type Mocha from 'mocha';

export interface TimedTest {
  /** The full title, including the suites. */
  readonly title: string;
  readonly milliseconds: number;
}

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly pending: number;
  /** The finished tests. Absent if the step is not a test run. */
  readonly tests?: readonly TimedTest[];
  /** The title and the error of each failed test. Absent if none failed. */
  readonly failures?: readonly string[];
}

export type ReporterConstructor = new (runner: Mocha.Runner, options: Mocha.MochaOptions) => Mocha.reporters.Base;

/**
 * A mocha reporter that writes complete lines. Mocha's own reporters write printf placeholders to the console, which
 * the extension host forwards unformatted.
 */
export function lineReporter(write: (line: string) => void): ReporterConstructor {
  class LineReporter {
    constructor(runner: Mocha.Runner) {
      let depth = 0;
      const failures: { readonly title: string; readonly error: unknown }[] = [];
      const indented = (text: string): void => write(`${'  '.repeat(depth)}${text}`);
      runner.on('suite', (suite) => {
        if (!suite.root) {
          indented(suite.title);
          depth += 1;
        }
      });
      runner.on('suite end', (suite) => {
        depth -= suite.root ? 0 : 1;
      });
      runner.on('pass', (test) => indented(`✓ ${test.title}${slowness(test)}`));
      runner.on('pending', (test) => indented(`- ${test.title} (pending)`));
      runner.on('fail', (test, error) => {
        // Mocha's own reporters set this, and `afterEach` hooks read it.
        test.err = error;
        failures.push({ title: test.fullTitle(), error });
        indented(`✗ ${failures.length}) ${test.title}`);
      });
      runner.on('end', () => {
        for (const [index, { title, error }] of failures.entries()) {
          write('');
          write(`✗ ${index + 1}) ${title}`);
          write(describeError(error));
        }
      });
    }
  }
  // Mocha only calls the constructor. Its Base class would add its console output.
  return LineReporter as unknown as ReporterConstructor;
}

/** Runs the loaded tests and counts the results. */
export function runMocha(mocha: Mocha): Promise<TestCounts> {
  return new Promise((resolve) => {
    const failures: string[] = [];
    const tests: TimedTest[] = [];
    const runner = mocha.run((failed) => {
      const { passes: passed = 0, pending = 0 } = runner.stats ?? {};
      resolve({ passed, failed, pending, tests, ...(failed > 0 && { failures }) });
    });
    runner.on('test end', (test) => tests.push({ title: test.fullTitle(), milliseconds: test.duration ?? 0 }));
    runner.on('fail', (test, error) => failures.push(`${test.fullTitle()}\n${describeError(error)}`));
  });
}

/** An error with its expectations and causes, as lines. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  const cause = error.cause === undefined ? '' : `\nCaused by: ${describeError(error.cause)}`;
  const comparison =
    'actual' in error && 'expected' in error
      ? `\n  actual:   ${inspectBriefly(error.actual)}\n  expected: ${inspectBriefly(error.expected)}`
      : '';
  return `${error.stack ?? error.message}${comparison}${cause}`;
}

function inspectBriefly(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 2_000 ? `${text.slice(0, 2_000)}…` : text;
}

function slowness(test: Mocha.Test): string {
  return test.duration !== undefined && test.duration > test.slow() ? ` (${test.duration} ms)` : '';
}
