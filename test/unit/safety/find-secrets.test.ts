import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { findSecrets } from '../../../extension/safety/find-secrets.ts';
import { repoRoot } from '../../support/repo.ts';
import { LINES, SECRETS } from './found.corpus.ts';
import { HARMLESS } from './harmless-text.ts';
import { INNOCENT } from './innocent.corpus.ts';

const found = (text: string): [string, string][] =>
  findSecrets(text).map(({ start, end, kind }) => [kind, text.slice(start, end)]);

describe('Secrets in a text', () => {
  for (const [kind, value] of SECRETS) {
    it(`are found by their form: ${kind}, ${value.slice(0, 8).replace(/\s/g, ' ')}…`, () => {
      for (const text of [
        value,
        `x = "${value}"`,
        `a\n${value}\nb`,
        `(${value}).`,
        `{"a":"b\\n${value}"}`,
        `curl -H 'X: ${value}' https://a.b`,
      ]) {
        assert.deepEqual(found(text), [[kind, value]], text);
      }
    });
  }

  for (const [kind, line, secret] of LINES) {
    it(`are found by what is written before them: ${line.slice(0, 24)}`, () => {
      for (const text of [line, `# settings\n${line}\nDEBUG=1\n`])
        assert.deepEqual(found(text), [[kind, secret]], text);
    });
  }

  it('are not seen in what only looks like them', () => {
    const texts = [...INNOCENT, ...Object.values(HARMLESS).flat()];
    const wrong = texts.flatMap((text) => [text, `a\n${text}\nb`]).filter((text) => findSecrets(text).length > 0);
    assert.deepEqual(wrong, []);
  });

  it('are not seen in the code of Gantry', () => {
    const files = filesBelow(join(repoRoot, 'extension'));
    const wrong = files.flatMap((file) => found(readFileSync(file, 'utf8')).map(([kind, text]) => [file, kind, text]));
    assert.deepEqual(wrong, []);
    assert.ok(files.length > 200);
  });

  it('are not seen in a lock file', () => {
    assert.deepEqual(found(readFileSync(join(repoRoot, 'package-lock.json'), 'utf8')), []);
  });

  it('of a private key whose beginning is missing are found from the first whole line or what is left of it', () => {
    const [, key = ''] = SECRETS.find(([kind]) => kind === 'private-key') ?? [];
    for (const text of [key, key.replaceAll('\n', '\\n')]) {
      const end = text.slice(text.indexOf('-----END'));
      const body = text.slice(text.lastIndexOf('-----', text.indexOf('-----END') - 1) + 5 + (text === key ? 1 : 2));
      for (const rest of [body, body.slice(7)]) {
        assert.deepEqual(found(rest), [['private-key', rest]]);
        assert.deepEqual(found(`the log of today:\n${rest}\nafter`), [['private-key', rest]]);
      }
      assert.deepEqual(found(`It ends with a line such as\n${end}`), []);
    }
  });

  it('of a private key that was cut off are found up to the cut', () => {
    const [, key = ''] = SECRETS.find(([kind]) => kind === 'private-key') ?? [];
    const cut = key.slice(0, key.indexOf('-----END'));
    assert.deepEqual(found(`before\n${cut}\n… cut here`), [['private-key', cut.trimEnd()]]);
  });

  it('are in order and do not overlap, whatever the text is', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(...SECRETS.map(([, value]) => value), 'password=', 'Bearer ', '"'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const spans = findSecrets(pieces.join(' '));
        for (const [index, { start, end }] of spans.entries()) {
          assert.ok(start < end && start >= (spans[index - 1]?.end ?? 0));
        }
      }),
    );
  });

  it('are looked for in time that grows with the text only', () => {
    const hostile = [
      'eyJaaaaaaaa-',
      'eyJaaaaaaaa.',
      `-----BEGIN ${'PRIVATE'} KEY-----`,
      'token="',
      'password=',
      'a://b:',
      'Bearer ',
      'sk-',
      'AIza',
      '[[gantry-secret-',
      'aB3',
      'xoxb-',
      "'",
      'A',
      'SG.aaaaaaaaaaaaaaaaaa.',
      '\u200d',
      '\\"token\\":\\"',
    ];
    for (const piece of hostile) {
      const [small, large] = [100_000, 800_000].map((length) => {
        const text = piece.repeat(length / piece.length);
        const started = performance.now();
        findSecrets(text);
        return performance.now() - started;
      }) as [number, number];
      // Eight times the text; a square would be sixty-four times. The sum allows for a machine that does other things.
      assert.ok(large < small * 30 + 400, `${piece}: ${small.toFixed()} ms, then ${large.toFixed()} ms`);
    }
  });
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}
