import assert from 'node:assert/strict';
import { appendFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { AuditReader } from '../../../../extension/policy/audit/read-audit.ts';
import { RuleUses } from '../../../../extension/policy/audit/rule-uses.ts';
import type { PolicyRule } from '../../../../extension/policy/policy-types.ts';
import { readRules } from '../../../../extension/policy/rules/read-rules.ts';
import { ruleHash } from '../../../../extension/policy/rules/rule-hash.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.parse('2026-06-30T12:00:00.000Z');
const FILE = '/home/me/.gemini/policies/mine.toml';
const TEXT = `[[rule]]
toolName = "run_shell_command"
commandPrefix = ["npm test", "npm run lint"]
decision = "allow"
priority = 100
`;

function rulesIn(text: string): readonly PolicyRule[] {
  return readRules(text, FILE, 'user').rules;
}

describe('How often a rule decided', () => {
  let place: TempFolder;
  let uses: RuleUses;

  beforeEach(async () => {
    place = await tempFolder('audit');
    uses = new RuleUses();
  });
  afterEach(() => place.dispose());

  const log = (): string => join(place.path, 'audit.jsonl');
  const reader = (): AuditReader =>
    new AuditReader(
      log(),
      (line) => uses.add(line),
      () => {
        uses = new RuleUses();
      },
      () => NOW - 30 * DAY,
    );
  const decided = (daysAgo: number, entry: object = {}): string => {
    const at = new Date(NOW - daysAgo * DAY).toISOString();
    const call = { session: 's', callId: 'c', tool: 'run_shell_command', args: { command: 'npm test' } };
    return `${JSON.stringify({ at, ...call, what: 'decided', decision: 'allow', why: 'w', ...entry })}\n`;
  };
  const [rule] = rulesIn(TEXT);
  assert.ok(rule);
  const byHash = { rule: `${FILE}:1`, ruleHash: ruleHash(rule) };
  const countOf = (text: string, place?: Parameters<RuleUses['of']>[3]): number[] =>
    rulesIn(text).map((each) => uses.of(each, FILE, NOW, place).count);

  it('is counted by its meaning, so lines above it, its message and other commands of it may change', async () => {
    await writeFile(log(), decided(1, byHash) + decided(2, byHash));
    await reader().look();
    assert.deepEqual(countOf(TEXT), [2, 0]);
    assert.deepEqual(countOf(`# more\n\n${TEXT.replace(', "npm run lint"', '')}denyMessage = "x"\n`), [2]);
    for (const other of [
      TEXT.replace('"allow"', '"deny"'),
      TEXT.replace('100', '101'),
      TEXT.replace('npm test', 'npm t'),
      `${TEXT}modes = ["plan"]\n`,
      `${TEXT}interactive = true\n`,
      `${TEXT}subagent = "a"\n`,
      `${TEXT}allowRedirection = true\n`,
    ]) {
      assert.equal(countOf(other)[0], 0, other);
    }
  });

  it('counts entries of older versions, which name only a line, if the file was not written since', async () => {
    await writeFile(log(), decided(3, { rule: `${FILE}:1` }) + decided(5, { rule: `${FILE}:1` }));
    await reader().look();
    assert.equal(countOf(TEXT)[0], 0);
    assert.equal(countOf(TEXT, { line: 1, writtenAt: NOW - 4 * DAY })[0], 1);
    assert.equal(countOf(TEXT, { line: 1, writtenAt: NOW - 6 * DAY })[0], 2);
    assert.equal(countOf(TEXT, { line: 2, writtenAt: NOW - 6 * DAY })[0], 0);
  });

  it('is about the last 30 days, or less if the log is younger', async () => {
    await writeFile(log(), decided(31, byHash) + decided(29, byHash) + decided(1.5, byHash));
    await reader().look();
    assert.deepEqual(uses.of(rule, FILE, NOW), { count: 2, last: NOW - 1.5 * DAY });
    assert.equal(uses.daysUntil(NOW), 29);
    assert.equal(uses.of(rule, FILE, NOW + 40 * DAY).count, 0);
  });

  it('follows the log while it grows, and when it is renamed', async () => {
    await writeFile(log(), decided(3, byHash));
    const following = reader();
    assert.equal(await following.look(), true);
    assert.equal(await following.look(), false);
    const next = decided(2, byHash);
    await appendFile(log(), next.slice(0, 40));
    await following.look();
    assert.equal(uses.of(rule, FILE, NOW).count, 1);
    await appendFile(log(), next.slice(40));
    await following.look();
    assert.equal(uses.of(rule, FILE, NOW).count, 2);
    await rename(log(), `${log()}.1`);
    await writeFile(log(), decided(1, byHash));
    await following.look();
    assert.equal(uses.of(rule, FILE, NOW).count, 3);
  });

  it('is known as far as the log is intact', async () => {
    const damaged = ['{"at":', 'null\n', '\0\0\0\n', decided(0, { ...byHash, at: 'then' }), '{"what":"decided"}\n'];
    await writeFile(log(), [decided(2, byHash), ...damaged, '\n', decided(1, byHash)].join(''));
    await reader().look();
    assert.equal(uses.of(rule, FILE, NOW).count, 2);
  });

  it('is unknown without a log', async () => {
    assert.equal(await reader().look(), false);
    assert.equal(uses.daysUntil(NOW), undefined);
  });
});
