import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findBrowser } from './support/browser.ts';
import { print, seconds } from './support/output.ts';
import { repoRoot, resultsDir } from './support/repo.ts';
import { describeError, type TestCounts } from './support/reporter.ts';
import { mochaStep, programStep, runStep, type StepResult } from './support/steps.ts';
import { runHostSuites } from './support/vscode/host-runner.ts';
import { ensureVsCode } from './support/vscode/install.ts';
import { parseRelease, type Release, releases } from './support/vscode/releases.ts';

const help = `npm test -- [options]
  --only unit|component|host|e2e   build, then only these tests
  --release newest|oldest          only this VS Code
  --grep pattern                   only tests whose full title matches this regular expression
  --update-snapshots               the panel may look as it does now: its pictures are made anew`;

const kinds = ['unit', 'component', 'host', 'e2e'] as const;
type Kind = (typeof kinds)[number];

interface Choice {
  readonly only: Kind | undefined;
  readonly releases: readonly Release[];
  readonly grep: string | undefined;
  readonly updateSnapshots: boolean;
}

/** What is done in editors and terminals takes ten minutes: on the oldest release the host tests show that it works. */
const E2E: Readonly<Record<Release, readonly string[]>> = {
  newest: ['e2e/panel', 'e2e/editor'],
  oldest: ['e2e/panel'],
};

const ok: TestCounts = { passed: 1, failed: 0, pending: 0 };

function parseChoice(args: readonly string[]): Choice {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      release: { type: 'string' },
      grep: { type: 'string' },
      'update-snapshots': { type: 'boolean', default: false },
    },
  });
  const { only, release, grep } = values;
  const kind = kinds.find((known) => known === only);
  if (only !== undefined && kind === undefined) {
    throw new Error(`Unknown kind of test: ${only}`);
  }
  return {
    only: kind,
    releases: release === undefined ? releases : [parseRelease(release)],
    grep,
    updateSnapshots: values['update-snapshots'],
  };
}

/** The path of a program that npm installed, run by this Node: its own start script needs a shell on Windows. */
function tool(...path: readonly string[]): readonly string[] {
  return [join(repoRoot, 'node_modules', ...path)];
}

async function runAll({ only, releases: chosen, grep, updateSnapshots }: Choice): Promise<readonly StepResult[]> {
  const results: StepResult[] = [];
  const step = async (name: string, work: () => Promise<TestCounts>): Promise<StepResult> => {
    const result = await runStep(name, work);
    results.push(result);
    return result;
  };
  const wants = (kind: Kind): boolean => only === undefined || only === kind;

  // Network bound, so it runs beside the steps that need the processor; its failure is reported by its own step.
  const installing = wants('host') || wants('e2e') ? prepare(chosen) : Promise.resolve();
  installing.catch(() => undefined);

  if (only === undefined) {
    await step('types', () => programStep(process.execPath, [...tool('typescript', 'bin', 'tsc'), '--noEmit']));
    // Biome colours what it writes into a pipe too, letter by letter.
    const colors = process.stdout.isTTY ? 'force' : 'off';
    await step('lint', () =>
      programStep(process.execPath, [...tool('@biomejs', 'biome', 'bin', 'biome'), 'ci', `--colors=${colors}`]),
    );
  }
  const build = await step('build', () => programStep(process.execPath, ['esbuild.mjs', '--production']));
  if (build.failed > 0) {
    return results;
  }
  if (wants('unit')) {
    await step('unit', () => mochaStep({ folders: ['unit', 'security'], timeoutMs: 20_000, grep }));
  }
  if (wants('component')) {
    const env = updateSnapshots ? { GANTRY_UPDATE_SNAPSHOTS: '1' } : {};
    await step('component', () => mochaStep({ folders: ['component'], timeoutMs: 30_000, grep, env }));
  }
  if (!wants('host') && !wants('e2e')) {
    return results;
  }
  const ready = await step('VS Code and a browser', () => installing.then(() => ok));
  if (ready.failed > 0) {
    return results;
  }
  for (const release of chosen.filter(() => wants('host'))) {
    await step(`host, ${release} VS Code`, () =>
      runHostSuites({ release, write: print, ...(grep === undefined ? {} : { grep }) }),
    );
  }
  for (const release of chosen.filter(() => wants('e2e'))) {
    await step(`e2e, ${release} VS Code`, () =>
      mochaStep({ folders: E2E[release], timeoutMs: 60_000, grep, env: { GANTRY_TEST_RELEASE: release } }),
    );
  }
  return results;
}

async function prepare(chosen: readonly Release[]): Promise<void> {
  await Promise.all([...chosen.map(ensureVsCode), findBrowser()]);
}

async function main(): Promise<void> {
  const start = Date.now();
  const choice = parseChoice(process.argv.slice(2));
  await rm(resultsDir, { recursive: true, force: true });
  const results = await runAll(choice);
  print('');
  for (const { name, passed, failed, milliseconds } of results) {
    print(
      `${failed > 0 ? '✗' : '✓'} ${name.padEnd(24)} ${seconds(milliseconds).padStart(8)}  ${passed} passed, ${failed} failed`,
    );
  }
  // Once more at the end: of a long log, often only that is seen.
  for (const failure of results.flatMap(({ failures = [] }) => failures)) print(`\n✗ ${failure}`);
  print(`  ${'total'.padEnd(24)} ${seconds(Date.now() - start).padStart(8)}`);
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  print(`${passed} passed, ${failed} failed`);
  process.exit(failed > 0 ? 1 : 0);
}

main().catch((error: unknown) => {
  print(`${describeError(error)}\n${help}\n0 passed, 1 failed`);
  process.exit(2);
});
