import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { contrast, parseColour, type Rgb, readable } from '../../../webview/highlight/contrast.ts';

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];

describe('A colour of code', () => {
  it('is read in the notations that themes use', () => {
    assert.deepEqual(parseColour('#0af'), [0, 170, 255]);
    assert.deepEqual(parseColour(' #00AAFF '), [0, 170, 255]);
    assert.deepEqual(parseColour('rgb(1, 2, 3)'), [1, 2, 3]);
    assert.deepEqual(parseColour('rgba(255, 255, 255, 0.5)', BLACK), [127.5, 127.5, 127.5]);
    for (const text of ['', 'red', '#12', '#12345', 'rgb(a, b, c)', 'url(x)', 'var(--a)']) {
      assert.equal(parseColour(text), undefined, text);
    }
  });

  it('shows through to what is behind it', () => {
    assert.deepEqual(parseColour('#ffffff00', BLACK), [0, 0, 0]);
  });

  it('stays as it is when it can be read', () => {
    assert.equal(readable([0, 128, 0], WHITE, BLACK), 'rgb(0 128 0)');
  });

  it('moves towards the text until it can be read', () => {
    for (const colour of [
      [147, 161, 161],
      [255, 255, 0],
      [200, 200, 200],
    ] as Rgb[]) {
      const shown = parseColour(readable(colour, WHITE, [30, 30, 30]).replaceAll(' ', ','));
      assert.ok(shown && contrast(shown, WHITE) >= 4.5, String(colour));
    }
  });
});
