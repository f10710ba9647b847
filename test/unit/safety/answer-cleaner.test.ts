import assert from 'node:assert/strict';
import type { Part } from '@google/genai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { AnswerCleaner, type AnswerRules } from '../../../extension/safety/answer-cleaner.ts';
import { showInvisible } from '../../../extension/safety/invisible.ts';
import { RequestCleaner } from '../../../extension/safety/request-cleaner.ts';
import { runs } from '../../support/test-size.ts';
import { FORMATS } from './formats.corpus.ts';
import { PRIVATE_KEY, SECRETS } from './found.corpus.ts';
import { INNOCENT } from './innocent.corpus.ts';

const KEY = new Uint8Array(32).fill(7);
const OWN = 'my own-key with 0815 spaces';
const TOKEN = SECRETS[1]?.[1] ?? '';

/** The rules of a session in which the user sent these texts. */
function rulesAfter(...sent: readonly string[]): AnswerRules {
  const requests = new RequestCleaner({ key: KEY, own: [OWN], redacts: true });
  for (const text of sent) requests.clean({ contents: [{ role: 'user', parts: [{ text }] }] });
  return requests.answerRules;
}

/** What an answer becomes that arrives in these pieces, piece by piece, and what is reported. */
function arriving(pieces: readonly Part[], rules: AnswerRules) {
  const secrets: string[] = [];
  let hidden = 0;
  const answer = new AnswerCleaner(rules, {
    secret: (_id, kind) => secrets.push(kind),
    hidden: (count) => {
      hidden += count;
    },
  });
  const parts = [...pieces.map((piece) => answer.add([piece])), answer.end()];
  return { parts, text: textOf(parts.flat()), secrets, hidden };
}

function textOf(parts: readonly Part[]): string {
  return parts.map(({ text = '' }) => text).join('');
}

function cutAt(text: string, places: readonly number[]): Part[] {
  const cuts = [0, ...places.map((place) => place % (text.length + 1)).sort((a, b) => a - b), text.length];
  return cuts.slice(1).map((end, index) => ({ text: text.slice(cuts[index], end) }));
}

/** Pieces of one letter, of a few, and as services cut an answer. */
const cuts = fc.oneof(
  fc.array(fc.nat({ max: 4000 }), { maxLength: 12 }),
  fc.integer({ min: 1, max: 40 }).map((size) => Array.from({ length: 400 }, (_, index) => index * size)),
);
const prose = fc.constantFrom(
  '修正しました。トークンは環境変数から読み込まれます。',
  '⚠️ **Note:** don’t share it 👩‍💻🏴󠁧󠁢󠁥󠁮󠁧󠁿!',
  'שלום \u200fworld, and \u202Ehidden\u2066 text\u{E0041}\u200b.',
  '[[gantry-secret-0a1b2c3d:password]] and password=[[gantry-secret-0a1b2c3d:password]]',
  ...INNOCENT,
  ...FORMATS.map(({ text }) => text),
);
const known = fc.constantFrom(...SECRETS.map(([, secret]) => secret), PRIVATE_KEY, OWN);

describe('An answer that arrives in pieces', () => {
  it("never has the user's secret in it, however it is cut, and is what it would be in one piece", () => {
    const property = fc.property(prose, known, prose, cuts, (before, secret, after, places) => {
      const rules = rulesAfter(`It is ${secret}\n`);
      const text = `${before}\n${secret}\n${after} ${secret.slice(0, -1)}`;
      const shown = arriving(cutAt(text, places), rules);
      assert.ok(!shown.text.includes(secret), shown.text);
      const values = [...rules.values].filter(([value]) => text.includes(value));
      const expected = values.reduce(
        (now, [value, kind]) => now.replaceAll(value, () => rules.replace(value, kind).placeholder),
        text,
      );
      assert.equal(shown.text, showInvisible(expected).text);
      assert.equal(shown.hidden, showInvisible(text).count);
    });
    fc.assert(property, { numRuns: runs(80, 3000) });
  });

  it('has everything else as the model wrote it: names, passwords and keys that it made up, and placeholders', () => {
    const property = fc.property(
      prose,
      fc.constantFrom(...SECRETS.map(([, secret]) => secret)),
      cuts,
      (a, made, at) => {
        const text = `${a} PASSWORD="letmein2024" ${made}`;
        assert.equal(arriving(cutAt(text, at), rulesAfter('PASSWORD="letmein2024"')).text, showInvisible(text).text);
      },
    );
    fc.assert(property, { numRuns: runs(50, 3000) });
  });

  it('is shown at once, but for what may become a secret or decide about a character', () => {
    const shown = (...pieces: readonly string[]): string[] =>
      arriving(
        pieces.map((text) => ({ text })),
        rulesAfter(TOKEN),
      ).parts.map(textOf);
    assert.deepEqual(shown('I have looked', ' at the', ' tests'), ['I have looked', ' at the', ' tests', '']);
    assert.deepEqual(shown('修正しまし', 'た'), ['修正しまし', 'た', '']);
    assert.deepEqual(shown('run gh', 'ost mode'), ['run ', 'ghost mode', '']);
    assert.deepEqual(shown('👩\u200d', '💻 ok'), ['👩', '', '\u200d💻 ok']);
  });

  it('keeps parts with a signature whole, and in their order', () => {
    const parts: Part[] = [
      { text: 'Let me think about gh', thought: true },
      { text: 'ost', thought: true, thoughtSignature: 'one' },
      { text: 'The answer is ' },
      { text: 'version 2', thoughtSignature: 'two' },
      { text: '', thoughtSignature: 'three' },
    ];
    const arrived = arriving(parts, rulesAfter(TOKEN)).parts.flat();
    const signed = arrived.filter(({ thoughtSignature }) => thoughtSignature !== undefined);
    assert.deepEqual(signed, [parts[1], parts[3], parts[4]]);
    assert.equal(textOf(arrived), textOf(parts));
  });

  it("hands none of the user's secrets to tools, in values or names, and all else as it is", () => {
    const placeholder = '[[gantry-secret-0a1b2c3d:password]]';
    const args = { content: `a\nTOKEN=${TOKEN}\n`, [TOKEN]: [{ deep: `\u202E${TOKEN}` }], kept: placeholder };
    const call: Part = { functionCall: { name: 'write_file', args }, thoughtSignature: 'one' };
    const { parts, secrets, hidden } = arriving([{ text: 'see ' }, call], rulesAfter(TOKEN));
    const said = parts.flat().at(-1);
    const named = /\[\[gantry-secret-\w{8}:github-token\]\]/.exec(JSON.stringify(said))?.[0] ?? '';
    assert.deepEqual(said, {
      functionCall: {
        name: 'write_file',
        args: { content: `a\nTOKEN=${named}\n`, [named]: [{ deep: `\u202E${named}` }], kept: placeholder },
      },
      thoughtSignature: 'one',
    });
    assert.deepEqual([secrets.length, hidden], [3, 0]);
    assert.deepEqual(arriving([call], rulesAfter()).parts.flat(), [call]);
  });

  it('may have secrets that the model said first, in words or in a call', () => {
    const requests = new RequestCleaner({ key: KEY, own: [], redacts: true });
    const call = { functionCall: { name: 'write_file', args: { content: PRIVATE_KEY } } };
    requests.clean({
      contents: [
        { role: 'model', parts: [{ text: TOKEN }, call] },
        { role: 'user', parts: [{ text: `${TOKEN}\n${PRIVATE_KEY}` }] },
      ],
    });
    assert.deepEqual([...requests.answerRules.values.keys()], []);
  });
});
