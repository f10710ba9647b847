import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { SessionRecord } from '../../../../extension/sessions/session-record.ts';
import { type LogContents, readLog } from '../../../../extension/sessions/store/read-log.ts';
import { SessionError } from '../../../../extension/sessions/store/session-error.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';
import { runs } from '../../../support/test-size.ts';
import { at, delta, event, header, logText, record, sent, writeLog } from './records.ts';

describe('A log that is read again', () => {
  let temp: TempFolder;
  let path: string;

  beforeEach(async () => {
    temp = await tempFolder('read-log');
    path = join(temp.path, 'one', 'log.jsonl');
  });
  afterEach(() => temp.dispose());

  const talk = [sent('m1', 'Hello'), delta('Hi'), event('e1', 'Hi there'), record({ type: 'run_started' })];
  const whole = logText(header('one'), ...talk);
  const lines = whole.trimEnd().split('\n');

  it('has what was written', async () => {
    const contents = await readLog(await writeLog(path, whole));
    assert.deepEqual(contents, {
      header: header('one'),
      records: talk,
      unknown: [],
      damage: [],
      bytes: Buffer.byteLength(whole),
    });
  });

  const asGood: readonly [what: string, content: string][] = [
    ['without its last newline', whole.trimEnd()],
    ['with the line ends of Windows', whole.replaceAll('\n', '\r\n')],
    ['with a byte order mark', `\uFEFF${whole}`],
    ['with blank lines', whole.replaceAll('\n', '\n\n')],
  ];
  for (const [what, content] of asGood) {
    it(`is whole ${what}`, async () => {
      const { header: first, records, damage } = await readLog(await writeLog(path, content));
      assert.deepEqual({ first, records, damage }, { first: header('one'), records: talk, damage: [] });
    });
  }

  const damaged: readonly [what: string, content: string | Buffer, damage: object[], kept: SessionRecord[]][] = [
    ['a torn last line', whole.slice(0, -9), [{ line: 5, reason: 'it is not JSON' }], talk.slice(0, 3)],
    [
      'a line in the middle that is none',
      [...lines.slice(0, 2), '{"type":"delta"', ...lines.slice(3)].join('\n'),
      [{ line: 3, reason: 'it is not JSON' }],
      [talk[0], talk[2], talk[3]].flatMap((each) => each ?? []),
    ],
    [
      'a record that lacks a part',
      `${whole}{"type":"run_ended","at":"${at(2)}"}\n`,
      [
        {
          line: 6,
          reason:
            '"reason" of run_ended: Invalid option: expected one of "completed"|"failed"|"aborted"|"max_turns"|"max_budget"|"max_time"|"refusal"|"elicitation"',
        },
      ],
      talk,
    ],
    ['zeros after a power cut', `${whole}${'\0'.repeat(4096)}`, [{ line: 6, reason: 'it is filled with zeros' }], talk],
    [
      'a line that ends in zeros',
      `${whole.slice(0, -9)}${'\0'.repeat(9)}`,
      [{ line: 5, reason: 'it is filled with zeros' }],
      talk.slice(0, 3),
    ],
    [
      'a byte that is no UTF-8',
      Buffer.concat([Buffer.from(whole), Buffer.from(logText(delta('?')).replace('?', '\xff'), 'latin1')]),
      [{ line: 6, reason: 'it is not UTF-8' }],
      talk,
    ],
    ['a second header', `${whole}${logText(header('two'))}`, [{ line: 6, reason: 'it is a second header' }], talk],
  ];
  for (const [what, content, damage, kept] of damaged) {
    it(`keeps the rest around ${what}`, async () => {
      const contents = await readLog(await writeLog(path, content));
      assert.deepEqual(contents.damage, damage);
      assert.deepEqual(contents.records, kept);
      assert.deepEqual(contents.header, header('one'));
    });
  }

  const headless: readonly [what: string, content: string, damage: object[]][] = [
    ['is damaged', ['{"type":"sess', ...lines.slice(1)].join('\n'), [{ line: 1, reason: 'it is not JSON' }]],
    ['is missing', lines.slice(1).join('\n'), [{ line: 1, reason: 'the header is not there' }]],
  ];
  for (const [what, content, damage] of headless) {
    it(`takes its id from its folder when its header ${what}`, async () => {
      const contents = await readLog(await writeLog(path, content));
      assert.deepEqual(contents.header, header('one', { workspace: '', at: at(1) }));
      assert.deepEqual(contents.records, talk);
      assert.deepEqual(contents.damage, damage);
    });
  }

  for (const parts of ['undefined', 'null', '{}', '[null]', '[{"text":7}]', '["a"]', '[{"functionCall":7}]']) {
    it(`loses text as it arrived whose parts are ${parts}`, async () => {
      const line = `{"type":"delta","at":"${at(2)}"${parts === 'undefined' ? '' : `,"parts":${parts}`}}`;
      const { records, damage } = await readLog(await writeLog(path, `${whole}${line}\n`));
      assert.deepEqual(records, talk);
      assert.deepEqual(
        damage.map(({ line: number, reason }) => ({ number, isNamed: /^"parts[^"]*" of delta: ./.test(reason) })),
        [{ number: 6, isNamed: true }],
      );
    });
  }

  it('has only the known fields of text as it arrived', async () => {
    const line = JSON.stringify({ ...delta('Hi'), more: 1 }).replace('{', '{"__proto__":{"polluted":true},');
    const { records } = await readLog(await writeLog(path, `${whole}${line}\n`));
    assert.deepEqual(records, [...talk, delta('Hi')]);
    assert.deepEqual(Object.keys(records.at(-1) ?? {}).sort(), ['at', 'parts', 'type']);
  });

  it('is whole however long it is, and loses one line of it', async () => {
    // Letters of two, three and four bytes, so that they are at the ends of what is decoded at once.
    const long = Array.from({ length: 6000 }, (_, index) => delta(`${index} ${'äö世🎉'.repeat(index % 60)}`));
    const text = Buffer.from(logText(header('one'), ...long));
    assert.ok(text.length > 2 * 1024 * 1024);
    assert.deepEqual((await readLog(await writeLog(path, text))).records, long);
    const at4000 = text.indexOf('"4000 ');
    text[at4000 + 1] = 0xff;
    const { records, damage } = await readLog(await writeLog(path, text));
    assert.deepEqual(damage, [{ line: 4002, reason: 'it is not UTF-8' }]);
    assert.deepEqual(records, long.toSpliced(4000, 1));
  });

  it('is a session without records when the file is empty', async () => {
    const contents = await readLog(await writeLog(path, ''));
    assert.equal(contents.header.id, 'one');
    assert.deepEqual(contents.records, []);
    assert.deepEqual(contents.damage, [{ line: 1, reason: 'the file is empty' }]);
  });

  it('keeps lines that only a newer version understands apart', async () => {
    const line = `{"type":"dream","at":"${at(3)}","of":"sheep"}`;
    const contents = await readLog(await writeLog(path, `${whole}${line}\n`));
    assert.deepEqual(contents.unknown, [line]);
    assert.deepEqual(contents.damage, []);
  });

  for (const [what, first] of [
    ['', { ...header('one'), version: 2 }],
    [' even if its header has another shape', { type: 'session', version: 3, name: 'one' }],
  ] as const) {
    it(`is refused when a newer Gantry wrote it${what}`, async () => {
      await writeLog(path, `${JSON.stringify(first)}\n`);
      await assert.rejects(readLog(path), (error) => {
        assert.ok(SessionError.is(error, 'newer-version'));
        assert.match(error.message, /newer version of Gantry.*Update Gantry/s);
        return true;
      });
      assert.equal(await readFile(path, 'utf8'), `${JSON.stringify(first)}\n`);
    });
  }

  const bytes = Buffer.from(logText(header('one'), ...talk, delta('Grüße, 世界 🎉'), sent('m2', 'Bye')));
  const all = [...talk, delta('Grüße, 世界 🎉'), sent('m2', 'Bye')];
  const ends = [...bytes.entries()].filter(([, byte]) => byte === 0x0a).map(([index]) => index);
  const wholeBefore = (position: number): number => ends.filter((end) => end <= position).length;

  it('has every whole line wherever the file is cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: bytes.length - 1 }), async (cut) => {
        const { records, damage } = await readLog(await writeLog(path, bytes.subarray(0, cut)));
        const complete = wholeBefore(cut);
        assert.deepEqual(records, all.slice(0, Math.max(0, complete - 1)));
        const torn = cut > 0 && !ends.includes(cut) && bytes[cut - 1] !== 0x0a;
        assert.deepEqual(
          damage.map(({ line }) => line),
          cut === 0 ? [1] : torn ? [complete + 1] : [],
        );
      }),
      { numRuns: runs(100, 1000) },
    );
  });

  it('has every other line whichever byte changed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: bytes.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        async (position, change) => {
          const changed = Buffer.from(bytes);
          changed[position] = (changed[position] ?? 0) ^ change;
          const contents = await readUnlessNewer(await writeLog(path, changed));
          // The one digit of the version can become that of a newer one.
          if (!contents) return position < (ends[0] ?? 0);
          const before = ends.filter((end) => end < position).length;
          const losesNewline = bytes[position] === 0x0a && position < bytes.length - 1;
          const after = Math.max(0, ends.length - before - (losesNewline ? 2 : 1));
          const { header: first, records, unknown, damage } = contents;
          const intact = Math.max(0, before - 1);
          assert.deepEqual(records.slice(0, intact), all.slice(0, intact));
          if (after > 0) assert.deepEqual(records.slice(-after), all.slice(-after));
          if (before > 0) assert.deepEqual(first, header('one'));
          // What became neither damaged nor unknown is still a record, perhaps with another letter in a text.
          const accounted = 1 + records.length + unknown.length + damage.length;
          return accounted >= ends.length - (losesNewline ? 1 : 0) && (!losesNewline || damage.length > 0);
        },
      ),
      { numRuns: runs(100, 1000) },
    );
  });

  it('is read whatever it holds', async () => {
    const anyLine = fc.oneof(fc.constantFrom(...lines), fc.json(), fc.string());
    const anyLog = fc.oneof(
      fc.array(anyLine).map((some) => Buffer.from(some.join('\n'))),
      fc.uint8Array({ maxLength: 2000 }).map((some) => Buffer.from(some)),
    );
    await fc.assert(
      fc.asyncProperty(anyLog, async (content) => {
        const contents = await readLog(await writeLog(path, content));
        assert.equal(contents.bytes, content.length);
      }),
      { numRuns: runs(100, 1000) },
    );
  });
});

async function readUnlessNewer(path: string): Promise<LogContents | undefined> {
  try {
    return await readLog(path);
  } catch (error) {
    if (SessionError.is(error, 'newer-version')) return undefined;
    throw error;
  }
}
