import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { OutputCapture } from '../../../../extension/processes/shell/output-capture.ts';
import { PlainText } from '../../../../extension/processes/shell/plain-log.ts';
import { terminalText } from '../../../../extension/processes/shell/terminal-text.ts';

const render = (raw: string, columns?: number): Promise<string> =>
  terminalText({ head: raw, dropped: 0, tail: '' }, columns);

describe('The text of a terminal', () => {
  const many = Array.from({ length: 25_000 }, (_, index) => `line ${index}`);
  const cases: readonly [title: string, raw: string, text: string][] = [
    ['is empty for none', '', ''],
    ['has no colours', '\x1b[1;31mred\x1b[0m and \x1b]8;;http://a\x07link\x1b]8;;\x07\r\n', 'red and link'],
    ['has a progress bar once', '10%\r50%\r100% done\r\nnext\r\n', '100% done\nnext'],
    ['keeps blank lines and leading blanks', '  a\r\n\r\n\tb\r\n', '  a\n\n        b'],
    ['has no trailing blanks', 'a   \r\nb\x1b[K\r\n\r\n\r\n', 'a\nb'],
    [
      'joins lines that were wrapped',
      `${'x'.repeat(300)}\r\n${'y '.repeat(100)}end\r\n`,
      `${'x'.repeat(300)}\n${'y '.repeat(100)}end`,
    ],
    ['follows the cursor', 'one\r\ntwo\r\n\x1b[2AONE\r\n', 'ONE\ntwo'],
    ['keeps all lines of a long output', many.join('\r\n'), many.join('\n')],
    [
      'leaves a full-screen program as it found it',
      'before\r\n\x1b[?1049hfull screen\x1b[?1049lafter',
      'before\nafter',
    ],
    ['shows a full-screen program that was ended', 'before\r\n\x1b[?1049h\x1b[Hfull screen', 'before'],
    ['keeps wide and joined characters', '日本語 👩‍👩‍👧 é\r\n', '日本語 👩‍👩‍👧 é'],
  ];
  for (const [title, raw, text] of cases) {
    it(title, async () => {
      const rendered = await render(raw);
      if (title.includes('that was ended')) assert.match(rendered, /^before\n+full screen$/);
      else assert.equal(rendered, text);
    });
  }

  it('joins what was wrapped where a slice ends', async () => {
    const line = 'abcdefghij'.repeat(3000);
    assert.equal(await render(`${line}\r\n${line}\r\n`), `${line}\n${line}`);
  });

  it('is not held up by sequences with huge counts', async () => {
    const hostile = ['@', 'I', 'L', 'M', 'P', 'S', 'T', 'X', 'Z', 'b'].map((final) => `x\x1b[2147483647${final}`);
    assert.match(await render(`${hostile.join('').repeat(100)}\r\nend`), /end$/);
  });

  it('can be made of anything', async () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\x1b[', '\x1b]', '\x1bP', '\r', '\n', '9', ';', 'H', 'J'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece), async (pieces) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be left.
        assert.doesNotMatch(await render(pieces.join('')), /[\0-\x08\x0b-\x1f]/);
      }),
      { numRuns: 25 },
    );
  }).timeout(10_000);

  it('says what is missing in the middle', async () => {
    const text = await terminalText({ head: 'first\r\n', dropped: 12_345, tail: '1mcut\r\nlast\r\n' });
    assert.equal(text, 'first\n[… 12345 characters of output are not kept …]\nlast');
  });
});

describe('Captured output', () => {
  it('is whole while it is short, in pieces of any size', () => {
    const capture = new OutputCapture();
    const text = Array.from({ length: 90_000 }, (_, index) => `${index}\n`).join('');
    for (let at = 0; at < text.length; at += 7) capture.push(text.slice(at, at + 7));
    assert.deepEqual(capture.read(), { head: text, dropped: 0, tail: '' });
    assert.equal(capture.last(10_000_000), text);
    assert.equal(capture.last(20), '89997\n89998\n89999\n');
    assert.equal(capture.first(4), '0\n1\n');
  });

  it('is a head and a tail when it is long, and adds up', () => {
    const capture = new OutputCapture();
    for (let index = 0; index < 5000; index++) capture.push(`${index}:${'x'.repeat(1000)}\n`);
    const { head, dropped, tail } = capture.read();
    assert.ok(head.startsWith('0:x') && tail.endsWith('x\n') && dropped > 0);
    assert.ok(head.length + tail.length < 3 * 1024 * 1024);
    assert.equal(head.length + dropped + tail.length, capture.total);
    assert.match(capture.last(5000), /^\d+:x/);
  });

  it('does not begin with half a character', () => {
    const capture = new OutputCapture();
    capture.push('🙂🙂🙂');
    assert.equal(capture.last(3), '🙂');
  });
});

describe('Plain text from a stream', () => {
  it('is the same however the stream is cut', () => {
    const raw = 'a\x1b[31mred\x1b[0m\r\nb\x1b]0;title\x07c\x1b(B\r10%\r20%\r\n\x1b]8;;u\x1b\\link\x1bM done\n';
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (sizes) => {
        const plain = new PlainText();
        let text = '';
        for (let at = 0, turn = 0; at < raw.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          text += plain.push(raw.slice(at, at + size));
          at += size;
        }
        assert.equal(text, 'ared\nbc\n10%\n20%\nlink done\n');
      }),
    );
  });
});
