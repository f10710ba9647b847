import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { colourRules, customRules, paletteOf } from '../../../../extension/vscode/theme/token-palette.ts';

const rule = (scope: string | string[], foreground: string): unknown => ({ scope, settings: { foreground } });

describe('The colours of a theme', () => {
  it('are those of the rule that says most, and of the later one of two that say as much', () => {
    const rules = colourRules([
      rule('keyword', '#111111'),
      rule('keyword.control', '#222222'),
      rule(['comment', 'string'], '#333333'),
      rule('comment', '#444444'),
    ]);
    const palette = paletteOf(rules);
    assert.equal(palette.control, '#222222');
    assert.equal(palette.keyword, '#111111');
    assert.equal(palette.comment, '#444444');
    assert.equal(palette.string, '#333333');
    assert.equal(palette.escape, '#333333');
    assert.equal(palette.tag, undefined);
  });

  it('take no rule about a place inside another one, and nothing that is no colour', () => {
    const odd = [
      rule('source.js comment', '#111111'),
      rule('comment', 'url(http://x)'),
      rule('comment', 'red'),
      3,
      null,
      {},
    ];
    assert.deepEqual(paletteOf(colourRules(odd)), {});
  });

  it('are changed by the settings, for every theme and for this one', () => {
    const setting = {
      comments: '#111111',
      keywords: { foreground: '#222222' },
      '[Other]': { comments: '#333333' },
      '[Dark*][Light]': { strings: '#444444', textMateRules: [rule('constant.numeric', '#555555')] },
    };
    const theme = colourRules([rule('comment', '#999999'), rule('keyword.control', '#999999')]);
    const palette = paletteOf([...theme, ...customRules(setting, 'Dark Modern')]);
    assert.deepEqual(
      [palette.comment, palette.control, palette.string, palette.number],
      ['#111111', '#222222', '#444444', '#555555'],
    );
    assert.deepEqual(customRules('nonsense', 'x'), []);
  });
});
