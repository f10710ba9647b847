import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { findSecrets } from '../../../extension/safety/find-secrets.ts';
import { VENDOR_SHAPES } from '../../../extension/safety/vendor-shapes.ts';
import { processorTime } from '../../support/processor-time.ts';
import { repoRoot } from '../../support/repo.ts';
import { runs } from '../../support/test-size.ts';
import { FORMATS } from './formats.corpus.ts';
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

  it('are found by the form of every service that is listed', () => {
    for (const source of VENDOR_SHAPES) {
      const form = fc.stringMatching(new RegExp(`^${source.replaceAll(/\(\?![^)]*\)/g, '')}$`));
      const values = fc.sample(form, { numRuns: 10, seed: 1 });
      // Some are by chance as plain as names.
      assert.ok(
        values.some((value) => found(`see ${value} here`).some(([, text]) => text === value)),
        source,
      );
    }
  });

  it('are found in 95 of 100 formats in which files, commands and code write them', () => {
    const missed = FORMATS.filter(({ text, secret }) => {
      const spans = findSecrets(text);
      return spans.reduceRight((left, { start, end }) => left.slice(0, start) + left.slice(end), text).includes(secret);
    });
    assert.ok(FORMATS.length >= 300);
    const recall = 1 - missed.length / FORMATS.length;
    assert.ok(recall >= 0.95, `${recall}\n${missed.map(({ what, text }) => `${what}\n${text}`).join('\n')}`);
  });

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

  it('are seen at most once in a thousand lines of what others have published', () => {
    const texts = publishedFiles(runs(120, 5000)).map((file) => readFileSync(file, 'utf8'));
    const lines = texts.reduce((sum, text) => sum + text.split('\n').length, 0);
    const wrong = texts.flatMap(found);
    assert.ok(wrong.length <= lines / 1000, `${wrong.length} in ${lines} lines: ${wrong.slice(0, 20).join('\n')}`);
  });

  it('are seen in the middle of a private key, and not in that of a certificate', () => {
    const lines = [1, 2, 3].map(
      (seed) => 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF'.repeat(2).slice(seed) + 'xY9'.slice(0, seed),
    );
    const body = lines.join('\n');
    assert.deepEqual(found(`$ sed -n 3,5p key\n${body}\n`), [['private-key', body]]);
    assert.deepEqual(found(`-----BEGIN CERTIFICATE-----\n${body}\n`), []);
  });

  it('are found in the element that ends right behind them, whatever is before it', () => {
    const value = 'S3cr3t-P4ss';
    for (const element of [
      `<password>${value}</password>`,
      `<password>\n  ${value}\n</password>`,
      `<entry key="password">${value}</entry>`,
      `<password><![CDATA[${value}]]></password>`,
    ]) {
      assert.deepEqual(found(`<a><![CDATA[x]]></a><b>c</b>\n${element}`), [['secret', value]], element);
      assert.deepEqual(found(`${element.replace('password', 'title')}<password>x</password>`), [], element);
    }
  });

  it('are found at their place between escaped characters', () => {
    const value = 'S3cr3t/P4ss';
    const character = fc.constantFrom('%20', '\\u0020', 'a', '%', '\\', 'é', '%3A', '\\u00');
    fc.assert(
      fc.property(fc.array(character), (before) => {
        const written = value.replace('/', before.length % 2 === 0 ? '%2F' : '\\u002f');
        assert.ok(found(`${before.join('')}\nDB_PASSWORD=${written}\n`).some(([, secret]) => secret === written));
      }),
      { numRuns: 50 },
    );
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
      'name: A_KEY\nvalue: ',
      '<pass_key>x</',
      ' --token x1',
      '%41',
      'machine a password ',
      'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eFaB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF\n',
    ];
    for (const piece of hostile) {
      const [small, large] = [50_000, 400_000].map((length) => {
        const text = piece.repeat(length / piece.length);
        return processorTime(() => void findSecrets(text));
      }) as [number, number];
      // Eight times the text; a square would be sixty-four times. The sum allows for a machine that does other things.
      assert.ok(large < small * 30 + 400, `${piece}: ${small.toFixed()} ms, then ${large.toFixed()} ms`);
    }
  });
});

/** Some of each package, so that all kinds of texts are among them. */
function publishedFiles(most: number): string[] {
  const files: string[] = [];
  const folder = join(repoRoot, 'node_modules');
  for (const name of readdirSync(folder)
    .sort()
    .filter((each) => !each.startsWith('.'))) {
    const own: string[] = [];
    collect(join(folder, name), own, most > 1000 ? 25 : 1);
    files.push(...own);
    if (files.length >= most) break;
  }
  return files.slice(0, most);
}

function collect(folder: string, files: string[], most: number): void {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (files.length >= most) return;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) collect(path, files, most);
    else if (entry.isFile() && TEXTS.test(entry.name) && statSync(path).size < 200_000) files.push(path);
  }
}

const TEXTS = /\.(?:[cm]?js|ts|md|json|ya?ml|css|html|xml|sh|py|txt|toml)$/;

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}
