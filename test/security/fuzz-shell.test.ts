import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'mocha';
import { z } from 'zod';
import type { Verdict } from '../../extension/policy/policy-types.ts';
import type { MatchedRule, ShellJudge } from '../../extension/policy/rules/shell-judge.ts';
import { createShellJudge } from '../../extension/policy/shell/shell-judge.ts';
import type { ReadableShell, ShellParser } from '../../extension/policy/shell/shell-types.ts';
import { seededRandom } from '../support/crash/random.ts';
import { repoRoot } from '../support/repo.ts';
import { circumstances, HOME, matchPrefixes, rule, shellParser } from '../support/shell-judging.ts';
import { type Started, shellsHere, startedBy, syntaxErrors } from '../support/stub-shells.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { runs } from '../support/test-size.ts';
import { builtLine, HARMFUL, HARMLESS, KNOWN, wildLine } from '../support/wild-lines.ts';

const LINES = runs(6000, 1_000_000);
const YOLO_LINES = runs(3000, 100_000);
const DENIED_LINES = runs(1000, 50_000);
/** A new one for every run of `test:all`; GANTRY_TEST_FUZZ_SEED repeats one. */
const SEED = Number(process.env['GANTRY_TEST_FUZZ_SEED'] ?? runs(21, Date.now() % 2 ** 31));
const STUBS = [...new Set([...HARMLESS, ...HARMFUL].map((command) => command.replace(/ .*/, '')))];
/** Lines are run in an empty folder and must not leave it; and a loop may have no end. */
const LEADS_AWAY = /~|\.\.|\/(?!dev\/null\b)|(?<!dev)\/|\b(?:while|until)\b/;
/** Syntax that dash doesn't know. Gantry only reads commands for bash. */
const BASH_ONLY = /<<<|\[\[/;
const BASH_SYNTAX = /<<<|\[\[|\$\{|\(\(|\+=|\^/;
/** Shells are started once for this many lines. */
const BATCH = 20_000;

interface Allowed {
  readonly line: string;
  readonly text: string;
  readonly parsed: ReadableShell;
}

describe('random command lines under rules for harmless programs', () => {
  let parser: ShellParser;
  let judge: ShellJudge;
  let corpus: readonly string[];
  before(async () => {
    parser = await shellParser();
    judge = createShellJudge(parser, { home: HOME, runsBash: true });
    corpus = [...KNOWN, ...(await recordedLines())];
  });
  const match = matchPrefixes(HARMLESS, { allowRedirection: true });

  const allowed = async (line: string): Promise<Allowed | undefined> => {
    // Without a folder: which files there are makes no difference to what is started, and looking takes time.
    const verdict = await judge(line, match(line), match, circumstances());
    if (verdict.decision !== 'allow') return undefined;
    const parsed = parser.parse(line);
    return parsed.parsed ? { line, text: verdict.runs ?? line, parsed } : undefined;
  };

  it('ask about every line that is known to be read differently, and run none', async () => {
    const unasked = [];
    for (const line of KNOWN) if (await allowed(line)) unasked.push(line);
    // In these every shell takes the rest for a comment, or for arguments.
    assert.deepEqual(unasked, ['echo a #b; touch PWN', 'ls \\\n\\\ntouch PWN']);
  });

  it(`start nothing that was not judged (${LINES} lines, seed ${SEED})`, async function () {
    this.timeout(3_600_000);
    const folder = await tempFolder('fuzz');
    const random = seededRandom(SEED);
    for (let left = LINES; left > 0; left -= BATCH) {
      const batch: Allowed[] = [];
      for (let count = Math.min(left, BATCH); count > 0; count--) {
        const one = await allowed(wildLine(random, corpus));
        if (one) batch.push(one);
      }
      assert.ok(batch.length > 500, 'enough lines are allowed to be worth looking at');
      await Promise.all(
        shellsHere().map(async (shell) => {
          const own = join(folder.path, shell.name);
          const isOmitted = (text: string): boolean =>
            LEADS_AWAY.test(text) || (shell.name === 'dash' && BASH_ONLY.test(text));
          const texts = batch.map(({ text }) => (isOmitted(text) ? ':' : text));
          const started = await startedBy(shell, texts, STUBS, own);
          assert.ok(started.length > batch.length / 2, `${shell.name} has run the lines`);
          const unjudged = started.filter((each) => !isNamed(each, batch));
          const told = unjudged.map(({ line, argv }) => [batch[line]?.line, batch[line]?.text, argv]);
          assert.deepEqual(told.slice(0, 20), [], `${told.length} in ${shell.name}`);
          assert.equal(await syntaxErrors(shell, texts, own), '', `the syntax is that of ${shell.name}`);
        }),
      );
    }
    await folder.dispose();
  });
});

/** Lines that would end the shell, wait, or change what later lines of the same shell mean. */
const LEAVES_SHELL = /\b(?:exec|exit|kill|wait|read|sleep|export|hash|trap|HOME|PWD)\b|\$[$!0]/;

describe('random command lines in yolo mode', () => {
  it(`start nothing but what was judged, and the same as the original in bash (${YOLO_LINES} lines, seed ${SEED})`, async function () {
    this.timeout(3_600_000);
    const parser = await shellParser();
    const corpus = [...KNOWN, ...(await recordedLines())];
    const folder = await tempFolder('fuzz');
    const random = seededRandom(SEED);
    for (let left = YOLO_LINES; left > 0; left -= BATCH) {
      const batch: Allowed[] = [];
      for (let count = Math.min(left, BATCH); count > 0; count--) {
        const line = wildLine(random, corpus);
        const parsed = parser.parse(line);
        if (!parsed.parsed || parsed.written === undefined) continue;
        const text = parsed.written;
        if (![LEADS_AWAY, LEAVES_SHELL].some((pattern) => pattern.test(text + line)))
          batch.push({ line, text, parsed });
      }
      assert.ok(batch.length > left / 10 || batch.length > BATCH / 10, 'enough lines are written again');
      for (const shell of shellsHere()) {
        const own = join(folder.path, shell.name);
        // Other shells don't know all of the syntax.
        const texts = batch.map(({ text }) => (shell.name === 'dash' && BASH_SYNTAX.test(text) ? ':' : text));
        const started = await startedBy(shell, texts, STUBS, own);
        const unjudged = started.filter((each) => !isNamed(each, batch));
        assert.deepEqual(
          unjudged.slice(0, 20).map(({ line, argv }) => [batch[line]?.line, batch[line]?.text, argv]),
          [],
          `${unjudged.length} in ${shell.name}`,
        );
        if (shell.name !== 'bash') continue;
        const lines = batch.map(({ line }) => line);
        const original = byLine(await startedBy(shell, lines, STUBS, own));
        const again = byLine(started);
        // What runs in the background may end later.
        const differ = lines.flatMap((line, at) =>
          original.get(at) === again.get(at) || /&(?![&>1-9])/.test(line) ? [] : [[line, texts[at]]],
        );
        assert.deepEqual(differ.slice(0, 20), [], `${differ.length} start something else`);
      }
    }
    await folder.dispose();
  });
});

describe('random command lines in yolo mode in the sandbox, with a denied program', () => {
  it(`never start it (${DENIED_LINES} lines, seed ${SEED})`, async function () {
    this.timeout(3_600_000);
    const parser = await shellParser();
    const judge = createShellJudge(parser, { home: HOME, runsBash: true });
    const restricting = rule('deny', { argsPattern: /^touch\b/ });
    const match = (command: string): Verdict & MatchedRule =>
      restricting.argsPattern?.test(command)
        ? { decision: 'deny', rule: restricting, why: 'A rule denies it.', restricting }
        : { decision: 'allow', why: 'Yolo mode allows it.', restricting };
    const corpus = [...KNOWN, ...(await recordedLines())];
    const folder = await tempFolder('fuzz');
    const random = seededRandom(SEED);
    for (let left = DENIED_LINES; left > 0; left -= BATCH) {
      const batch: { readonly line: string; readonly text: string }[] = [];
      for (let count = Math.min(left, BATCH); count > 0; count--) {
        const line = random.below(2) === 0 ? builtLine(random) : wildLine(random, corpus);
        const verdict = await judge(line, match(line), match, circumstances({ mode: 'yolo', isConfined: true }));
        const text = verdict.runs ?? line;
        if (verdict.decision === 'allow' && ![LEADS_AWAY, LEAVES_SHELL].some((pattern) => pattern.test(text)))
          batch.push({ line, text });
      }
      assert.ok(batch.length > Math.min(left, BATCH) / 10, 'enough lines are allowed');
      const [bash] = shellsHere();
      assert.ok(bash);
      const texts = batch.map(({ text }) => text);
      const started = await startedBy(bash, texts, STUBS, join(folder.path, bash.name));
      const denied = started.filter(({ argv: [name = ''] }) => name === 'touch');
      assert.deepEqual(
        denied.slice(0, 20).map(({ line, argv }) => [batch[line], argv]),
        [],
        `${denied.length} lines`,
      );
    }
    await folder.dispose();
  });
});

function byLine(started: readonly Started[]): ReadonlyMap<number, string> {
  const lines = new Map<number, string[]>();
  for (const { line, argv } of started) lines.set(line, [...(lines.get(line) ?? []), JSON.stringify(argv)]);
  return new Map([...lines].map(([line, all]) => [line, all.sort().join(' ')]));
}

async function recordedLines(): Promise<readonly string[]> {
  const entries = JSON.parse(await readFile(join(repoRoot, 'test', 'security', 'shell.corpus.json'), 'utf8'));
  return z
    .array(z.object({ command: z.string() }))
    .parse(entries)
    .map(({ command }) => command);
}

/** Whether the judge was shown this very command; where words are only known at run time, at least this program. */
function isNamed({ line, argv }: Started, batch: readonly Allowed[]): boolean {
  const [name] = argv;
  return (batch[line]?.parsed.commands ?? []).some(({ words }) => {
    if (words[0]?.value !== name) return false;
    if (words.some(({ value }) => value === undefined || value.startsWith('~'))) return true;
    return words.length === argv.length && words.every(({ value }, index) => value === argv[index]);
  });
}
