import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parse } from 'smol-toml';
import { TIERS } from '../../../../extension/policy/policy-types.ts';
import { parseTables } from '../../../../extension/policy/rules/parse-tables.ts';
import { scanPolicyPart, TABLE_KINDS } from '../../../../extension/policy/rules/policy-part.ts';
import { PolicyReader, type ReadRules, readRules } from '../../../../extension/policy/rules/read-rules.ts';
import { seededRandom } from '../../../support/crash/random.ts';
import { runs } from '../../../support/test-size.ts';
import { pick } from '../../../support/wild-policies.ts';
import { mutated, wildPolicyText } from '../../../support/wild-policy-text.ts';

const FILE = '/policies/wild.toml';

describe('A policy file that is read part by part', () => {
  it('has the tables that the parser finds in the whole', () => {
    const random = seededRandom(1);
    for (let count = 0; count < runs(60, 5000); count++) {
      const text = wildPolicyText(random);
      const found = TABLE_KINDS.map((): unknown[] => []);
      for (let start = 0, part = scanPolicyPart(text, 0); start < text.length; part = scanPolicyPart(text, start)) {
        const { tables, faults } = parseTables(part);
        const isContinuation = part.header !== undefined && part.kind !== undefined && part.header.names.length > 1;
        if (!isContinuation) assert.deepEqual(faults, [], text);
        for (const { kind, values } of tables) {
          const list = found[TABLE_KINDS.indexOf(kind)] ?? [];
          if (isContinuation) list.push({ ...Object(list.pop()), ...values });
          else list.push(values);
        }
        start += part.length;
      }
      const whole = parse(text.replaceAll('\r\n', '\n'));
      assert.deepEqual(plain(found), plain(TABLE_KINDS.map((kind) => whole[kind] ?? [])), text);
      assert.deepEqual(
        readRules(text, FILE, 'user').problems.filter(({ kind }) => kind === 'toml_parse'),
        [],
      );
    }
  });

  it('has after any edit the same rules and problems as if it were read anew', () => {
    const random = seededRandom(2);
    for (let count = 0; count < runs(12, 1000); count++) {
      const tier = pick(random, TIERS);
      const reader = new PolicyReader(FILE, tier);
      let text = wildPolicyText(random);
      for (let edit = 0; edit < 25; edit++) {
        const reading = reader.reading(text);
        // Some readings are left unfinished.
        if (random.below(5) === 0) reading.next();
        else {
          assert.deepEqual(
            comparable(reader.read(text)),
            comparable(readRules(text, FILE, tier)),
            JSON.stringify(text),
          );
        }
        text = mutated(random, text);
      }
    }
  });
});

function comparable({ rules, checkers, problems }: ReadRules): string {
  const all = [...rules, ...checkers].map(({ argsPattern, ...rest }) => ({ ...rest, pattern: argsPattern?.source }));
  return JSON.stringify({ all, problems });
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
