import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ToPanel } from '../../../../extension/protocol/panel/panel-messages.ts';
import { problemsText } from '../../../../extension/vscode/context/problem-text.ts';
import { hiddenGlobs, prefixesOf, rootOf } from '../../../../extension/vscode/input/mentions/file-places.ts';
import { Mentions } from '../../../../extension/vscode/input/mentions/mentions.ts';
import { droppedPath, fileNameOf, isPicture, textIn } from '../../../../extension/vscode/input/pasted.ts';
import type { Mention, MentionSource } from '../../../../extension/vscode/suggestions/mention-source.ts';
import { deferred } from '../../../support/deferred.ts';

type Posted = Extract<ToPanel, { type: 'suggestions' }>;

const mention = (label: string, more: Partial<Mention> = {}): Mention => ({
  icon: 'file',
  label,
  detail: '',
  name: label,
  ...more,
});
const source = (title: string, search: MentionSource['search'], more: Partial<MentionSource> = {}): MentionSource => ({
  title,
  search,
  ...more,
});
const LOG = { debug() {}, info() {}, warn() {}, error() {} };

function bench(...sources: MentionSource[]): { mentions: Mentions; posted: Posted[]; post: (message: Posted) => void } {
  const posted: Posted[] = [];
  return { mentions: new Mentions(sources, LOG), posted, post: (message) => void posted.push(message) };
}

const shown = (message: Posted | undefined): string[] =>
  (message?.groups ?? []).map(({ title, items }) => `${title}: ${items.map(({ label }) => label).join(' ')}`);

describe('What @ offers', () => {
  it('begins with agents as soon as one is named, and with files before', async () => {
    const files = source('Files', async () => [mention('reviewer.md')]);
    const agents = source('Agents', async () => [mention('reviewer')], { leadsByName: true });
    const { mentions, posted, post } = bench(files, agents);
    await mentions.suggest(1, '', post);
    await mentions.suggest(2, 'rev', post);
    await mentions.suggest(3, 'view', post);
    const byFile = ['Files: reviewer.md', 'Agents: reviewer'];
    assert.deepEqual(posted.map(shown), [byFile, byFile.toReversed(), byFile]);
  });

  it('is shown before the slow sources have answered, and again after', async () => {
    const late = deferred<readonly Mention[]>();
    const files = source('Files', async () => [mention('a.ts')]);
    const symbols = source('Symbols', () => late.promise, { isSlow: true });
    const more = source('More', async () => [mention('Problems')]);
    const { mentions, posted, post } = bench(
      files,
      symbols,
      more,
      source('More', async () => [mention('Terminal')]),
    );
    const done = mentions.suggest(1, 'a', post);
    await new Promise(setImmediate);
    assert.deepEqual(shown(posted[0]), ['Files: a.ts', 'More: Problems Terminal']);
    assert.equal(posted[0]?.pending, true);
    late.resolve([mention('A')]);
    await done;
    assert.deepEqual(shown(posted.at(-1)), ['Files: a.ts', 'Symbols: A', 'More: Problems Terminal']);
    assert.equal(posted.at(-1)?.pending, false);
  });

  it('is posted once if the slow sources answer before the others', async () => {
    const late = deferred<readonly Mention[]>();
    const agents = source('Agents', async () => [mention('reviewer')], { isSlow: true });
    const { mentions, posted, post } = bench(
      source('Files', () => late.promise),
      agents,
    );
    const done = mentions.suggest(1, '', post);
    await new Promise(setImmediate);
    assert.deepEqual(posted, []);
    late.resolve([mention('a.ts')]);
    await done;
    assert.deepEqual(posted.map(shown), [['Files: a.ts', 'Agents: reviewer']]);
  });

  it('is only for the last query: what the one before finds is neither waited for nor posted', async () => {
    const first = deferred<readonly Mention[]>();
    const signals: AbortSignal[] = [];
    const { mentions, posted, post } = bench(
      source('Files', (query, signal) => {
        signals.push(signal);
        return query === 'a' ? first.promise : Promise.resolve([mention('ab.ts')]);
      }),
    );
    const early = mentions.suggest(1, 'a', post);
    await mentions.suggest(2, 'ab', post);
    first.resolve([mention('a.ts')]);
    await early;
    assert.deepEqual(
      posted.map(({ id }) => id),
      [2],
    );
    assert.ok(signals[0]?.aborted);
  });

  it('is there although one source fails', async () => {
    const broken = source('Broken', () => Promise.reject(new Error('no server')));
    const { mentions, posted, post } = bench(
      broken,
      source('Files', async () => [mention('a.ts')]),
    );
    await mentions.suggest(1, 'a', post);
    assert.deepEqual(shown(posted[0]), ['Files: a.ts']);
  });

  it('is looked for again when a source has more', async () => {
    let [found, changed] = [[mention('a.ts')], (): void => undefined];
    const files = source('Files', async () => found, {
      onDidChange: (listener) => {
        changed = listener;
        return { dispose() {} };
      },
    });
    const { mentions, posted, post } = bench(files);
    await mentions.suggest(1, 'a', post);
    found = [mention('a.ts'), mention('b.ts')];
    changed();
    await new Promise(setImmediate);
    assert.deepEqual(shown(posted.at(-1)), ['Files: a.ts b.ts']);
    mentions.end();
    changed();
    await new Promise(setImmediate);
    assert.equal(posted.length, 2);
  });

  it('can be taken by what was offered, and by nothing else', async () => {
    const content = { text: 'x' };
    const attach = async () => ({ kind: 'file' as const, label: 'a.ts', content });
    const { mentions, posted, post } = bench(source('Files', async () => [mention('a b.ts', { attach })]));
    await mentions.suggest(1, 'a', post);
    const [item] = posted[0]?.groups[0]?.items ?? [];
    assert.equal(item?.insert, '@a-b.ts ');
    assert.deepEqual((await mentions.take(item?.id ?? ''))?.content, content);
    assert.equal(await mentions.take('/etc/passwd'), undefined);
  });
});

describe('Files of several folders', () => {
  const api = { name: 'api' };
  const web = { name: 'web' };

  it('have their folder in front, each with a name of its own', () => {
    assert.deepEqual(
      prefixesOf([api, web, { name: 'api' }]).map(({ prefix }) => prefix),
      ['api/', 'web/', 'api (2)/'],
    );
    assert.equal(prefixesOf([api])[0]?.prefix, '');
    assert.deepEqual(prefixesOf([]), []);
  });

  it('are found in the folder that they are named with', () => {
    const roots = prefixesOf([api, web]);
    assert.deepEqual(rootOf('web/src/a.ts', roots), { folder: web, rest: 'src/a.ts' });
    assert.deepEqual(rootOf('web', roots), { folder: web, rest: '' });
    assert.throws(() => rootOf('other/a.ts', roots));
  });

  it('are omitted by what the settings hide for good', () => {
    const settings = [{ '**/.git': true, '**/*.js': { when: '$(basename).ts' }, '**/keep': false }, undefined, 'odd'];
    assert.deepEqual(hiddenGlobs(...settings), ['**/.git']);
  });
});

describe('What is pasted', () => {
  it('has a name and nothing more', () => {
    assert.equal(fileNameOf('../../etc/passwd'), 'passwd');
    assert.equal(fileNameOf('C:\\x\\shot.png'), 'shot.png');
    assert.equal(fileNameOf('..'), 'pasted');
    assert.equal(fileNameOf('a\u202e\u0000b.png'), 'ab.png');
    assert.equal(fileNameOf(`${'x'.repeat(500)}.png`).length, 100);
  });

  it('is text only when it is', () => {
    assert.equal(textIn(Buffer.from('grüße')), 'grüße');
    assert.equal(textIn(Buffer.from([0xff, 0xfe, 0x00])), undefined);
    assert.equal(textIn(Buffer.from('a\0b')), undefined);
  });

  it('has a small picture of pixels only', () => {
    assert.ok(isPicture('data:image/webp;base64,AAAA=='));
    for (const address of ['data:image/svg+xml;base64,AAAA', 'https://x.test/a.png', 'data:image/png,x', undefined])
      assert.ok(!isPicture(address), address);
  });

  it('names files of this machine, or of the one that VS Code works on', () => {
    assert.deepEqual(droppedPath('file:///work/a%20b.ts', false), { path: '/work/a b.ts' });
    assert.deepEqual(droppedPath('vscode-remote://wsl%2Bdebian/work/a.ts', true), { path: '/work/a.ts' });
    for (const address of ['vscode-remote://x/a', 'https://x.test/a', 'nonsense', 'file:///%zz'])
      assert.equal(droppedPath(address, false), undefined, address);
  });
});

describe('Problems that are mentioned', () => {
  it('come with their files, and with how many there are besides', () => {
    assert.equal(problemsText([{ place: 'a.ts', text: 'Line 1' }], 4), 'a.ts\nLine 1\n\n(4 more are not listed.)');
  });
});
