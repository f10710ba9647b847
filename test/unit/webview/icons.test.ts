import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { ICONS } from '../../../webview/base/icons.ts';
import { repoRoot } from '../../support/repo.ts';

describe('Icons', () => {
  const glyphs = (css: string): Map<string, string> =>
    new Map(
      [...css.matchAll(/\.codicon-([a-z0-9-]+)::?before\s*{\s*content: "(\\[0-9a-f]+)"/g)].map(([, name, glyph]) => [
        name ?? '',
        glyph ?? '',
      ]),
    );
  const read = (path: string): Map<string, string> => glyphs(readFileSync(join(repoRoot, path), 'utf8'));

  it('are the ones of the codicons package', () => {
    const ours = read('webview/styles/icons.css');
    const theirs = read('node_modules/@vscode/codicons/dist/codicon.css');
    assert.deepEqual([...ours.keys()].sort(), [...ICONS].sort());
    for (const [name, glyph] of ours) assert.equal(glyph, theirs.get(name), name);
  });
});
