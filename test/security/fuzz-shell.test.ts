import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'mocha';
import { z } from 'zod';
import type { ShellJudge } from '../../extension/policy/rules/shell-judge.ts';
import { createShellJudge } from '../../extension/policy/shell/shell-judge.ts';
import type { ReadableShell, ShellParser } from '../../extension/policy/shell/shell-types.ts';
import { seededRandom } from '../support/crash/random.ts';
import { repoRoot } from '../support/repo.ts';
import { circumstances, HOME, matchPrefixes, shellParser } from '../support/shell-judging.ts';
import { type Started, shellsHere, startedBy, syntaxErrors } from '../support/stub-shells.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { runs } from '../support/test-size.ts';
import { HARMFUL, HARMLESS, KNOWN, wildLine } from '../support/wild-lines.ts';

const LINES = runs(20_000, 1_000_000);
/** A new one for every run of `test:all`; GANTRY_FUZZ_SEED repeats one. */
const SEED = Number(process.env['GANTRY_FUZZ_SEED'] ?? runs(21, Date.now() % 2 ** 31));
const STUBS = [...new Set([...HARMLESS, ...HARMFUL].map((command) => command.replace(/ .*/, '')))];
/** Lines are run in an empty folder and must not leave it; and a loop may have no end. */
const LEADS_AWAY = /~|\.\.|\/(?!dev\/null\b)|(?<!dev)\/|\b(?:while|until)\b/;
/** Syntax that dash doesn't know. Gantry only reads commands for bash. */
const BASH_ONLY = /<<<|\[\[/;
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
    const entries = JSON.parse(await readFile(join(repoRoot, 'test', 'security', 'shell.corpus.json'), 'utf8'));
    const commands = z.array(z.object({ command: z.string() })).parse(entries);
    corpus = [...KNOWN, ...commands.map(({ command }) => command)];
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

/** Whether the judge was shown this very command; where words are only known at run time, at least this program. */
function isNamed({ line, argv }: Started, batch: readonly Allowed[]): boolean {
  const [name] = argv;
  return (batch[line]?.parsed.commands ?? []).some(({ words }) => {
    if (words[0]?.value !== name) return false;
    if (words.some(({ value }) => value === undefined || value.startsWith('~'))) return true;
    return words.length === argv.length && words.every(({ value }, index) => value === argv[index]);
  });
}
