import { rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBrowser } from './support/browser.ts';
import { print, seconds } from './support/output.ts';
import { repoRoot, resultsDir } from './support/repo.ts';
import { describeError, type TestCounts } from './support/reporter.ts';
import { testEnvironment } from './support/run/environment.ts';
import { OrderedOutput } from './support/run/ordered-output.ts';
import { RememberedTests } from './support/run/remembered-tests.ts';
import { programStep, runStep, type StepResult, type Write } from './support/run/steps.ts';
import { BuiltTests, testFilesIn } from './support/run/test-files.ts';
import { runPool } from './support/run/test-pool.ts';
import { watchSources } from './support/run/watched-sources.ts';
import { tempFolder } from './support/temp-folder.ts';
import { runHostSuites } from './support/vscode/host-runner.ts';
import { ensureVsCode } from './support/vscode/install.ts';
import { parseRelease, type Release, releases } from './support/vscode/releases.ts';

const help = `npm test -- [options]
  --only unit|component|host|e2e   build, then only these tests
  --release newest|oldest          only this VS Code, and everything in it
  --grep pattern                   only tests whose full title matches this regular expression
  --watch                          again, whenever a file that they are made of changes
  --update-snapshots               texts are as they should be: the files that they are compared with are written again
npm run test:all -- [options]      before a release: more of what is random, in more themes and releases`;

const kinds = ['unit', 'component', 'host', 'e2e'] as const;
type Kind = (typeof kinds)[number];

interface Choice {
  readonly all: boolean;
  readonly only: Kind | undefined;
  readonly plan: Plan;
  readonly grep: string | undefined;
  readonly watch: boolean;
  readonly updateSnapshots: boolean;
}

/** The suites to run in each release of VS Code. */
interface Plan {
  readonly host: readonly Release[];
  readonly e2e: readonly EndToEnd[];
  readonly env?: Readonly<Record<string, string>>;
}

interface EndToEnd {
  readonly release: Release;
  readonly folders: readonly string[];
}

/** The default plan: the journeys of users in the newest release, and a smoke test in the oldest. */
const NORMAL: Plan = {
  host: ['newest'],
  e2e: [
    { release: 'newest', folders: ['e2e/panel', 'e2e/editor'] },
    { release: 'oldest', folders: ['e2e/smoke'] },
  ],
  env: { GANTRY_TEST_JOURNEYS: '1' },
};

/** Tests of editors and terminals take ten minutes. On the oldest release, the host tests cover these features. */
const E2E: Readonly<Record<Release, readonly string[]>> = {
  newest: ['e2e/panel', 'e2e/editor', 'e2e/smoke'],
  oldest: ['e2e/panel', 'e2e/smoke'],
};

function everythingOn(chosen: readonly Release[]): Plan {
  return { host: chosen, e2e: chosen.map((release) => ({ release, folders: E2E[release] })) };
}

const FOLDERS = { unit: ['unit', 'security'], component: ['component'] } as const;
const TIMEOUT_MS = { unit: 20_000, component: 30_000, e2e: 60_000 } as const;
/** The factor for timeouts, because random tests of full size do up to ten times as much. */
const LARGER = 10;

/** Some unit tests wait for programs that they started. Each end-to-end test keeps two cores busy by itself. */
const PROCESSES = { unit: availableParallelism() + 1, component: availableParallelism(), e2e: 1 } as const;

/** The short form of `npm run soak`. */
const SOAK_KILLS = '100';

const FULL_SIZE = { GANTRY_TEST_SIZE: 'full' } as const;

const ok: TestCounts = { passed: 1, failed: 0, pending: 0 };

function parseChoice(args: readonly string[]): Choice {
  const { values } = parseArgs({
    args: [...args],
    options: {
      all: { type: 'boolean', default: false },
      only: { type: 'string' },
      release: { type: 'string' },
      grep: { type: 'string' },
      watch: { type: 'boolean', default: false },
      'update-snapshots': { type: 'boolean', default: false },
    },
  });
  const { all, only, release, grep, watch } = values;
  const kind = kinds.find((known) => known === only);
  if (only !== undefined && kind === undefined) {
    throw new Error(`Unknown kind of test: ${only}`);
  }
  if (watch && kind !== undefined && kind !== 'unit' && kind !== 'component') {
    throw new Error('Only unit and component tests can be watched.');
  }
  return {
    all,
    only: kind ?? (watch ? 'unit' : undefined),
    plan: planOf(all, grep, release),
    grep,
    watch,
    updateSnapshots: values['update-snapshots'],
  };
}

/** A run with --grep or --release includes tests that `npm test` would skip. */
function planOf(all: boolean, grep: string | undefined, release: string | undefined): Plan {
  if (release !== undefined) return everythingOn([parseRelease(release)]);
  if (all) return everythingOn(releases);
  return grep === undefined ? NORMAL : everythingOn(['newest']);
}

/** The path of an installed program, to run it with this Node: its own start script needs a shell on Windows. */
function tool(...path: readonly string[]): string {
  return join(repoRoot, 'node_modules', ...path);
}

/** One run of the chosen tests, with the result of each step. */
class TestRun {
  private readonly output = new OrderedOutput(print);
  private readonly remembered = new RememberedTests();
  private readonly steps: Promise<StepResult>[] = [];

  constructor(
    private readonly choice: Choice,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  /** Runs everything that was chosen. `changed` lists the sources that changed since the last run. */
  async run(changed?: ReadonlySet<string>): Promise<readonly StepResult[]> {
    await this.start(changed);
    const results = await Promise.all(this.steps);
    await this.remembered.save();
    return results;
  }

  private async start(changed: ReadonlySet<string> | undefined): Promise<void> {
    const { only, plan, grep } = this.choice;
    // The network is the bottleneck, so this runs in parallel with the steps that need the processor. Its own step
    // reports failures.
    const needsVsCode = this.wants('host') || this.wants('e2e');
    const browser = only === 'unit' ? undefined : ensureBrowser();
    const installing = Promise.all([browser, ...(needsVsCode ? this.releases.map(ensureVsCode) : [])]);
    installing.catch(() => undefined);

    const files = await this.chosenFiles();
    // The host tests are one program that starts everything.
    const isFew = grep !== undefined && !this.wants('host');
    const buildTests = await this.step('build of the tests', (write) =>
      programStep(['esbuild.mjs', '--tests', ...(isFew ? files : [])], write),
    );
    if (buildTests.failed > 0) return;
    const built = await BuiltTests.read();
    const isChosen = (file: string): boolean => changed === undefined || built.isMadeOf(file, changed);
    // While a few tests are watched, other files may change too.
    if (changed !== undefined && !files.some(isChosen)) return;
    const needsBundles = only !== 'unit' || files.some((file) => isChosen(file) && built.needsBundles(file));
    const bundles = needsBundles
      ? this.step('build', (write) => programStep(['esbuild.mjs', '--production'], write)).then(
          ({ failed }) => failed === 0,
        )
      : Promise.resolve(true);
    if (only === undefined) {
      // Several checkers would each check the shared files again. One checker needs two thirds of the processor time.
      void this.step('types', (write) =>
        programStep([tool('typescript', 'bin', 'tsc'), '--build', 'build', 'test', '--checkers', '1'], write),
      );
      // By default, Biome colours its output even if it is a pipe, letter by letter.
      const colors = process.stdout.isTTY ? 'force' : 'off';
      void this.step('lint', (write) =>
        programStep([tool('@biomejs', 'biome', 'bin', 'biome'), 'ci', `--colors=${colors}`], write),
      );
    }
    const pool =
      (kind: keyof typeof TIMEOUT_MS, names: readonly string[], env: Readonly<Record<string, string>> = {}) =>
      (write: Write): Promise<TestCounts> => {
        const { remembered } = this;
        const ours = names.filter(isChosen);
        return runPool({
          files: ours.filter((file) => !built.needsBundles(file)),
          later: { files: ours.filter((file) => built.needsBundles(file)), when: bundles },
          timeoutMs: TIMEOUT_MS[kind] * (this.choice.all ? LARGER : 1),
          processes: PROCESSES[kind],
          grep: this.choice.grep,
          env: { ...this.env, ...env },
          remembered,
          write,
        });
      };
    const inFolders = (folders: readonly string[]): readonly string[] =>
      files.filter((file) => folders.some((folder) => file.startsWith(`${folder}/`)));

    if (this.wants('unit')) await this.step('unit', pool('unit', inFolders(FOLDERS.unit)));
    if (!(await bundles)) return;
    if (this.choice.all && this.wants('unit') && grep === undefined) {
      await this.step('soak', (write) => programStep(['out/test/soak.mjs', '--kills', SOAK_KILLS], write, this.env));
    }
    // This process installs the browser, with its own network settings. The tests only look it up.
    await browser?.catch(() => undefined);
    if (this.wants('component')) await this.step('component', pool('component', inFolders(FOLDERS.component)));
    if (!needsVsCode) return;

    const ready = await this.step('VS Code and a browser', () => installing.then(() => ok));
    if (ready.failed > 0) return;
    const env = { ...plan.env, ...(this.choice.all && FULL_SIZE) };
    // The first two steps are the host tests and the end-to-end tests of the newest release.
    const queue = releases.flatMap((release) => [
      ...plan.host
        .filter((each) => each === release && this.wants('host'))
        .map(() => () => {
          return this.step(`host, ${release} VS Code`, (write) => runHostSuites({ release, grep, env, write }));
        }),
      ...plan.e2e
        .filter((each) => each.release === release && this.wants('e2e'))
        .map(({ folders }) => () => {
          const run = pool('e2e', inFolders(folders), { ...plan.env, GANTRY_TEST_RELEASE: release });
          return this.step(`e2e, ${release} VS Code`, run);
        }),
    ]);
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) await next();
    };
    // Each step waits for VS Code half of the time, so two run in parallel.
    await Promise.all([work(), work()]);
  }

  private get releases(): readonly Release[] {
    const { host, e2e } = this.choice.plan;
    const wanted = [
      ...(this.wants('host') ? host : []),
      ...(this.wants('e2e') ? e2e : []).map(({ release }) => release),
    ];
    return [...new Set(wanted)];
  }

  private wants(kind: Kind): boolean {
    return this.choice.only === undefined || this.choice.only === kind;
  }

  private async chosenFiles(): Promise<readonly string[]> {
    const { plan, grep } = this.choice;
    const folders = [
      ...(this.wants('unit') ? FOLDERS.unit : []),
      ...(this.wants('component') ? FOLDERS.component : []),
      ...(this.wants('e2e') ? plan.e2e.flatMap(({ folders: ours }) => ours) : []),
    ];
    const files = await testFilesIn([...new Set(folders)]);
    return grep === undefined ? files : this.remembered.filesWith(new RegExp(grep), files);
  }

  private step(name: string, work: (write: Write) => Promise<TestCounts>): Promise<StepResult> {
    const result = runStep(name, this.output.section(), work);
    this.steps.push(result);
    return result;
  }
}

const SLOWEST = 20;

function summarize(results: readonly StepResult[], milliseconds: number): number {
  const tests = results.flatMap(({ name, tests = [] }) => tests.map((test) => ({ step: name, ...test })));
  const slowest = tests.sort((a, b) => b.milliseconds - a.milliseconds).slice(0, SLOWEST);
  if (slowest.length > 0) print('\nThe slowest tests:');
  for (const { step, title, milliseconds } of slowest) {
    print(`${seconds(milliseconds).padStart(8)}  ${step}: ${title}`);
  }
  // Repeat the failures at the end, because often only the end of a long log is read.
  for (const failure of results.flatMap(({ failures = [] }) => failures)) print(`\n✗ ${failure}`);
  print('');
  for (const { name, passed, failed, milliseconds } of results) {
    print(
      `${failed > 0 ? '✗' : '✓'} ${name.padEnd(24)} ${seconds(milliseconds).padStart(8)}  ${passed} passed, ${failed} failed`,
    );
  }
  print(`  ${'total'.padEnd(24)} ${seconds(milliseconds).padStart(8)}`);
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  print(`${passed} passed, ${failed} failed`);
  return failed;
}

async function main(): Promise<void> {
  const choice = parseChoice(process.argv.slice(2));
  await rm(resultsDir, { recursive: true, force: true });
  // Use a private folder if users share /tmp: files that another user's run left there can't be overwritten.
  if (tmpdir() === '/tmp') process.env['TMPDIR'] = (await tempFolder('temp')).path;
  const home = await tempFolder('test-home');
  const env = {
    ...testEnvironment(home.path),
    ...(choice.all && FULL_SIZE),
    ...(choice.updateSnapshots && { GANTRY_UPDATE_SNAPSHOTS: '1' }),
  };
  const once = async (changed?: ReadonlySet<string>): Promise<number> => {
    const start = Date.now();
    return summarize(await new TestRun(choice, env).run(changed), Date.now() - start);
  };
  if (!choice.watch) {
    process.exit((await once()) > 0 ? 1 : 0);
  }
  const changes = watchSources();
  for (let changed: ReadonlySet<string> | undefined; ; ) {
    await once(changed);
    print('\nWaiting for a change…');
    changed = await changes.next();
  }
}

main().catch((error: unknown) => {
  print(`${describeError(error)}\n${help}\n0 passed, 1 failed`);
  process.exit(2);
});
