import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { FileIndex } from '../../../../extension/vscode/input/mentions/file-index.ts';
import { fuzzyMatch } from '../../../../extension/vscode/suggestions/fuzzy.ts';

const PATHS = [
  'src/net/retry.ts',
  'src/net/upload.ts',
  'src/jobs/retention/run.ts',
  'test/retry.test.ts',
  'docs/how-to-retry.md',
  'README.md',
  'package.json',
  'src/components/UserCardView.tsx',
  'src/core/user/card/view.ts',
];

function indexOf(paths: readonly string[]): FileIndex {
  const index = new FileIndex();
  for (const path of paths) index.add(path);
  return index;
}

const index = indexOf(PATHS);
const found = (query: string, limit = 10): string[] => index.search(query, limit).map(({ path }) => path);

describe('The index of files', () => {
  it('finds by the beginning of a name first, files and folders alike', () => {
    assert.deepEqual(found('ret').slice(0, 3), ['src/net/retry.ts', 'src/jobs/retention', 'test/retry.test.ts']);
  });

  it('finds a name that is typed whole before all that only contain it', () => {
    assert.equal(found('retry.ts')[0], 'src/net/retry.ts');
    assert.equal(found('readme.md')[0], 'README.md');
  });

  it('finds by the beginnings of words', () => {
    assert.equal(found('ucv')[0], 'src/components/UserCardView.tsx');
    assert.equal(found('htr')[0], 'docs/how-to-retry.md');
  });

  it('finds by parts of the path', () => {
    assert.equal(found('net/up')[0], 'src/net/upload.ts');
    assert.equal(found('net\\up')[0], 'src/net/upload.ts');
    assert.equal(found('core/view')[0], 'src/core/user/card/view.ts');
  });

  it('knows the folders that files lie in, each once', () => {
    const [best, ...others] = index.search('net', 10).filter(({ isFolder }) => isFolder);
    assert.equal(best?.path, 'src/net');
    assert.ok(others.every(({ path }) => path !== 'src/net'));
    assert.equal(index.fileCount, PATHS.length);
  });

  it('puts what the user has open before what fits as well', () => {
    const isOpen = (path: string): boolean => path.startsWith('test/');
    assert.equal(index.search('retry', 10, isOpen)[0]?.path, 'test/retry.test.ts');
  });

  it('says which characters match the query', () => {
    const [first] = index.search('ret', 1);
    assert.deepEqual(first?.positions, [8, 9, 10]);
  });

  it('finds nothing where the characters are not there in this order', () => {
    assert.deepEqual(found('zzz'), []);
    assert.deepEqual(found('yrter.ts'), []);
  });

  it('finds the same for a query that is typed on and for one that is pasted', () => {
    for (const query of ['re', 'ret', 'retr', 'ret', 'u', 'uc', 'ucv']) {
      assert.deepEqual(
        found(query),
        indexOf(PATHS)
          .search(query, 10)
          .map(({ path }) => path),
        query,
      );
    }
  });

  it('gives all in some order for nothing, up to the limit', () => {
    assert.equal(found('', 4).length, 4);
  });
});

describe('A fuzzy match', () => {
  it('is there exactly when the characters are, and names places that have them', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'B', '/', '-', 'é', ' ') });
    fc.assert(
      fc.property(text, text, (query, within) => {
        const match = fuzzyMatch(query, within);
        assert.equal(match !== undefined, isSubsequence(query.toLowerCase(), within.toLowerCase()));
        const named = match?.positions.map((at) => within[at]?.toLowerCase()).join('');
        if (match) assert.equal(named, query.toLowerCase());
        const rising = match?.positions.every((at, i, all) => i === 0 || at > (all[i - 1] ?? -1));
        if (match) assert.ok(rising);
      }),
    );
  });

  it('takes hostile names: no text makes it throw or slow', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary', maxLength: 700 }), (query, text) => {
        fuzzyMatch(query, text);
      }),
    );
  });
});

function isSubsequence(query: string, text: string): boolean {
  let at = 0;
  for (const character of text) if (at < query.length && character === query[at]) at += 1;
  return at === query.length;
}
