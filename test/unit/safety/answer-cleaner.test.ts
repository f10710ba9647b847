import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from '@google/genai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { AnswerCleaner } from '../../../extension/safety/answer-cleaner.ts';
import { RequestCleaner } from '../../../extension/safety/request-cleaner.ts';
import { repoRoot } from '../../support/repo.ts';
import { runs } from '../../support/test-size.ts';
import { FORMATS } from './formats.corpus.ts';
import { LINES, PRIVATE_KEY, SECRETS } from './found.corpus.ts';
import { HARMLESS } from './harmless-text.ts';
import { INNOCENT } from './innocent.corpus.ts';

const KEY = new Uint8Array(32).fill(7);
const OWN = 'my own-key with 0815 spaces';
const TOKEN = SECRETS[1]?.[1] ?? '';
const cleaner = (own: readonly string[] = [], redacts = true) => new RequestCleaner({ key: KEY, own, redacts });

/** What an answer becomes that arrives in these pieces, piece by piece. */
function arriving(pieces: readonly Part[], requests: RequestCleaner = cleaner()): Part[][] {
  const answer = new AnswerCleaner(() => requests.answerRules);
  return [...pieces.map((piece) => answer.add([piece])), answer.end()];
}

function textOf(parts: readonly (readonly Part[])[]): string {
  return parts
    .flat()
    .map(({ text = '' }) => text)
    .join('');
}

function cutAt(text: string, places: readonly number[]): Part[] {
  const cuts = [0, ...places.map((place) => place % (text.length + 1)).sort((a, b) => a - b), text.length];
  return cuts.slice(1).map((end, index) => ({ text: text.slice(cuts[index], end) }));
}

/** The same answer in pieces of one letter, of a few, and as services cut it. */
const cuts = fc.oneof(
  fc.array(fc.nat({ max: 4000 }), { maxLength: 12 }),
  fc.integer({ min: 1, max: 40 }).map((size) => Array.from({ length: 400 }, (_, index) => index * size)),
);

const prose = fc.constantFrom(
  'The token is read from the environment, and the test passes.',
  '修正しました。トークンは環境変数から読み込まれます。',
  '⚠️ **Note:** don’t share it 👩‍💻🏴󠁧󠁢󠁥󠁮󠁧󠁿!',
  '`npm run build` prints:\n\n```sh\n> esbuild --minify\n```',
  'שלום \u200fworld, and \u202Ehidden\u2066 text\u{E0041}\u200b.',
  '[[gantry-secret-0a1b2c3d:password]] and password=[[gantry-secret-0a1b2c3d:password]]',
);
const harmless = fc.oneof(prose, fc.constantFrom(...INNOCENT), fc.constantFrom(...Object.values(HARMLESS).flat()));
const revealing = fc.constantFrom(
  ...FORMATS.map(({ text, secret }) => ({ text, secret })),
  ...LINES.map(([, text, secret]) => ({ text, secret })),
  ...SECRETS.map(([, secret]) => ({ text: secret, secret })),
  { text: PRIVATE_KEY, secret: PRIVATE_KEY },
  { text: `see ${OWN}.`, secret: OWN },
);

describe('An answer that arrives in pieces', () => {
  it('never has a secret in it, however it is cut, and is what it would be in one piece', () => {
    const between = fc.constantFrom('\n', '\n\n');
    const property = fc.property(
      harmless,
      between,
      revealing,
      between,
      harmless,
      cuts,
      (a, first, hidden, next, b, at) => {
        const text = a + first + hidden.text + next + b;
        const shown = textOf(arriving(cutAt(text, at), cleaner([OWN])));
        assert.ok(!shown.includes(hidden.secret), `${JSON.stringify(hidden.secret)} in ${shown}`);
        assert.equal(shown, textOf(arriving([{ text }], cleaner([OWN]))));
        assert.equal(shown, cleaner([OWN]).text(text));
      },
    );
    fc.assert(property, { numRuns: runs(200, 50_000) });
  });

  it('passes ordinary text and code byte for byte', () => {
    const files = ['extension/safety', 'extension/scheduler', 'docs'].flatMap((folder) =>
      readdirSync(join(repoRoot, folder))
        .filter((name) => /\.(?:ts|md)$/.test(name))
        .map((name) => readFileSync(join(repoRoot, folder, name), 'utf8')),
    );
    const whole = [...files, ...INNOCENT, ...Object.values(HARMLESS).flat()].filter(
      (text) => cleaner().text(text) === text,
    );
    assert.ok(whole.length > 100);
    for (const [index, text] of whole.entries()) {
      const size = 3 + ((index * 7) % 60);
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) => ({
        text: text.slice(at * size, (at + 1) * size),
      }));
      assert.equal(textOf(arriving(pieces)), text);
    }
  });

  it('shows words at once, and waits only for what could become a secret', () => {
    const shown = (...pieces: readonly string[]): string[] =>
      arriving(pieces.map((text) => ({ text }))).map((parts) => textOf([parts]));
    assert.deepEqual(shown('I have looked', ' at the', ' tests'), ['I have looked', ' at the', ' tests', '']);
    assert.deepEqual(shown('修正しまし', 'た'), ['修正しまし', 'た', '']);
    assert.deepEqual(shown('run gh', 'ost mode'), ['run ', 'ghost mode', '']);
    assert.deepEqual(shown('It is AIza', 'Sy…', ' ok'), ['It is ', 'AIzaSy…', ' ok', '']);
    const named = shown('DB_PASSWORD="correct horse ', 'battery" # x');
    assert.deepEqual(named, ['DB_PASSWORD=', '"correct horse battery" # ', 'x']);
  });

  it('keeps parts with a signature whole, and in their order', () => {
    const parts: Part[] = [
      { text: 'Let me think about AI', thought: true },
      { text: 'zation', thought: true, thoughtSignature: 'one' },
      { text: 'The answer is ' },
      { text: 'version 2', thoughtSignature: 'two' },
      { text: '', thoughtSignature: 'three' },
    ];
    const arrived = arriving(parts).flat();
    const signed = arrived.filter(({ thoughtSignature }) => thoughtSignature !== undefined);
    assert.deepEqual(signed, [parts[1], parts[3], parts[4]]);
    assert.equal(textOf([arrived]), textOf([parts]));
  });

  it('hands no secret to tools, in values or names, and leaves placeholders alone', () => {
    const placeholder = '[[gantry-secret-0a1b2c3d:password]]';
    const args = { content: `a\nTOKEN=${TOKEN}\n`, [TOKEN]: [{ deep: `\u202E${TOKEN}` }], kept: placeholder };
    const answer = new AnswerCleaner(() => requests.answerRules);
    const requests = cleaner();
    const said = answer.add([{ text: `see ${TOKEN}` }, { functionCall: { name: 'write_file', args } }]);
    const call = said.at(-1);
    const named = /\[\[gantry-secret-\w{8}:github-token\]\]/.exec(textOf([said]))?.[0];
    assert.deepEqual(call?.functionCall?.args, {
      content: `a\nTOKEN=${named}\n`,
      [named ?? '']: [{ deep: `\\u{202E}${named}` }],
      kept: placeholder,
    });
    assert.equal(answer.hidden, 1);
    assert.deepEqual(
      requests.found.map(({ value, where }) => [value, where]),
      [[TOKEN, 'an answer']],
    );
  });

  it("leaves out the user's own key, also when everything else is shown", () => {
    const shown = textOf(arriving(cutAt(`my own ${OWN} ${TOKEN}`, [9, 12, 20, 30]), cleaner([OWN], false)));
    assert.match(shown, /^my own \[\[gantry-secret-\w{8}:model-key\]\] ghp_/);
  });

  it('takes no longer for a chunk at the end of a long answer', () => {
    const chunk = { text: 'The function reads `config.port` and returns 8080; see docs/settings.md.\n' };
    const measured = (count: number): number => {
      const answer = new AnswerCleaner(() => requests.answerRules);
      const requests = cleaner();
      for (let index = 0; index < count; index++) answer.add([chunk]);
      const times = Array.from({ length: 200 }, () => {
        const begin = performance.now();
        answer.add([chunk]);
        return performance.now() - begin;
      });
      return times.sort((left, right) => left - right)[50] ?? 0;
    };
    measured(200);
    const [short, long] = [measured(50), measured(5000)];
    assert.ok(long < 4 * short + 0.1, `${long} ms after 5,000 chunks, ${short} ms after 50`);
  });

  it('keeps nothing of a secret that is longer than what is held back', () => {
    const header = `eyJ${Buffer.from('{"alg":"RS256"}').toString('base64url').slice(3)}`;
    const token = `${header}.eyJ${'aB3dE5fG7h'.repeat(900)}.sig${'nA4'.repeat(50)}`;
    const shown = textOf(
      arriving(
        cutAt(
          `jwt ${token} end`,
          Array.from({ length: 300 }, (_, index) => index * 37),
        ),
      ),
    );
    assert.match(shown, /^jwt \[\[gantry-secret-\w{8}:jwt\]\] end$/);
  });
});
