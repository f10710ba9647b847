import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { EventStreamParser, type StreamItem } from '../../../../extension/model/http/sse.ts';

function read(text: string, sizes: readonly number[] = []): StreamItem[] {
  const bytes = new TextEncoder().encode(text);
  const parser = new EventStreamParser();
  const items: StreamItem[] = [];
  let start = 0;
  for (const size of [...sizes, bytes.length]) {
    items.push(...parser.push(bytes.subarray(start, start + size)));
    start += size;
  }
  return [...items, ...parser.end()];
}

const event = (text: string, complete = true): StreamItem => ({ type: 'event', text, complete });
const stray = (text: string, complete = true): StreamItem => ({ type: 'stray', text, complete });

describe('an event stream', () => {
  const cases: readonly [what: string, text: string, expected: StreamItem[]][] = [
    ['nothing', '', []],
    ['one event', 'data: {"a":1}\r\n\r\n', [event('{"a":1}')]],
    ['events after each other', 'data: 1\n\ndata: 2\n\n', [event('1'), event('2')]],
    ['old line ends', 'data: 1\r\rdata: 2\r\r', [event('1'), event('2')]],
    ['no blank after the colon', 'data:1\n\n', [event('1')]],
    ['several data lines', 'data: {\ndata: }\n\n', [event('{\n}')]],
    ['names, ids and comments', ': hello\n\nevent: chunk\nid: 7\nretry: 5\ndata: 1\n\n', [event('1')]],
    ['a byte order mark', '\u{feff}data: 1\n\n', [event('1')]],
    ['an end in the middle of an event', 'data: {"a"', [event('{"a"', false)]],
    ['an end before the empty line', 'data: 1\n', [event('1', false)]],
    ['an end in the middle of a name', 'data: 1\n\nda', [event('1'), stray('da', false)]],
    ['a page', '<html>\n<p>\n\n</html>\n', [stray('<html>\n<p>'), stray('</html>', false)]],
    ['bare JSON after events', 'data: 1\n\n{\n "error": 2\n}\n', [event('1'), stray('{\n "error": 2\n}', false)]],
  ];
  for (const [what, text, expected] of cases) {
    it(what, () => assert.deepEqual(read(text), expected));
  }

  it('reads the same wherever the network cuts it', () => {
    const text = 'data: {"text":"grüße 👋"}\r\n\r\n: ping\r\n\r\ndata: a\r\ndata: b\r\n\r\ndata: ende';
    const whole = read(text);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 60 }), (sizes) => {
        assert.deepEqual(read(text, sizes), whole);
      }),
    );
  });

  it('gives up on a line that never ends', () => {
    const block = new Uint8Array(8 * 1024 * 1024).fill(120);
    const parser = new EventStreamParser();
    const endless = (): void => {
      for (;;) parser.push(block);
    };
    assert.throws(endless, { name: 'ItemTooLongError' });
  });
});
