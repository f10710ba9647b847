import assert from 'node:assert/strict';
import { PassThrough, Writable } from 'node:stream';
import { describe, it } from 'mocha';
import type { OutputFormat } from '../../../extension/headless/arguments.ts';
import { noteOf, trustNote } from '../../../extension/headless/notes.ts';
import { createOutput } from '../../../extension/headless/output.ts';
import { summarize } from '../../../extension/headless/run-summary.ts';
import { Sink } from '../../../extension/headless/sink.ts';
import type { AgentEvent, AgentEventBody } from '../../../extension/protocol/agent/agent-event.ts';
import { textPart } from '../../../extension/protocol/agent/content-part.ts';
import { asked, ended, failed, said, stamped, toolCall, unreachable } from './events.ts';

async function printed(format: OutputFormat, events: readonly AgentEvent[], isTerminal = false): Promise<string> {
  const stdout = new PassThrough({ encoding: 'utf8' });
  const output = createOutput(format, { stdout: new Sink(stdout), isTerminal });
  for (const event of events) await output.event(event);
  await output.end(summarize(events));
  return String(stdout.read() ?? '');
}

describe('headless output', () => {
  describe('as text', () => {
    const cases = [
      { name: 'adds the last line end', events: [said('Hel'), said('lo'), ended()], text: 'Hello\n' },
      { name: 'does not add a second one', events: [said('Hello\n'), ended()], text: 'Hello\n' },
      { name: 'is empty without an answer', events: [asked('Hi'), ended()], text: '' },
      {
        name: 'puts text around tools on lines of their own',
        events: [said('I look.'), ...toolCall('read_file'), ...toolCall('read_file'), said('Done.'), ended()],
        text: 'I look.\nDone.\n',
      },
      {
        name: 'ends the line before a problem',
        events: [said('Once'), failed(unreachable), ended('failed')],
        text: 'Once\n',
      },
    ];
    for (const { name, events, text } of cases) {
      it(name, async () => {
        assert.equal(await printed('text', stamped(...events)), text);
      });
    }

    it('has each answer once: of one that broke off and was asked for again, nothing stays in a pipe', async () => {
      const retracted: AgentEventBody = { type: 'custom', kind: 'answer_retracted', data: { from: 's-0' } };
      const events = stamped(said('Once up'), retracted, said('Once upon '), said('a time.'), ended());
      assert.equal(await printed('text', events), 'Once upon a time.\n');
      assert.equal(await printed('text', events, true), 'Once up\nOnce upon a time.\n');
      assert.equal(await printed('text', stamped(said('Once up'), ended('aborted'))), 'Once up\n');
    });

    it('gives no escape sequences to a terminal, and every byte to a pipe', async () => {
      const answer = 'a\u001b]52;c;aGk=\u0007b\tc\r\nd\re\n';
      assert.equal(await printed('text', stamped(said(answer))), answer);
      assert.equal(await printed('text', stamped(said(answer)), true), 'a]52;c;aGk=b\tc\r\nde\n');
    });
  });

  it('as json is the summary', async () => {
    const events = stamped(said('Hello'), ended());
    assert.deepEqual(JSON.parse(await printed('json', events)), summarize(events));
  });

  it('as stream-json is each event, in order', async () => {
    const events = stamped(asked('Hi\nthere'), said('Hello'), ended());
    const lines = (await printed('stream-json', events)).split('\n');
    assert.equal(lines.pop(), '');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      events,
    );
  });

  it('goes to stderr for a call that was refused, on one line', () => {
    const refused = (text: string, errorType: string): AgentEventBody => ({
      type: 'tool_response',
      requestId: '1',
      name: 'write_file',
      isError: true,
      content: [textPart(text)],
      data: { errorType },
    });
    const events = stamped(
      refused('write_file is not allowed.\nBecause.', 'policy_violation'),
      refused('x'.repeat(5000), 'policy_violation'),
      refused('There is no such file.', 'file_not_found'),
    );
    const [short, long, other] = events.map((event) => noteOf(event));
    assert.equal(short, 'Refused: write_file is not allowed. Because.');
    assert.ok((long?.length ?? 0) < 500);
    assert.equal(other, undefined);
    assert.match(trustNote(events) ?? '', /--trust/);
    assert.equal(trustNote(events.slice(2)), undefined);
  });

  it('goes to stderr for problems and early ends', () => {
    const notes = stamped(
      said('Hi'),
      failed(unreachable),
      { type: 'error', status: 'INTERNAL', message: 'Plain words.', fatal: false },
      ended('failed'),
      ended('aborted'),
      { type: 'agent_end', reason: 'max_turns', data: { maxTurns: 3 } },
    ).map((event) => noteOf(event));
    assert.deepEqual(notes, [
      undefined,
      'The endpoint did not answer. Check the address. Run the command again.',
      'Plain words.',
      undefined,
      'Interrupted.',
      'The turn limit of 3 was reached. Allow more with --max-turns N, or -1 for no limit.',
    ]);
  });
});

describe('headless sink', () => {
  it('waits for a slow reader', async () => {
    const stream = new PassThrough({ highWaterMark: 4 });
    let written = false;
    const writing = new Sink(stream).write('12345').then(() => {
      written = true;
    });
    await Promise.resolve();
    assert.equal(written, false);
    assert.equal(stream.read().toString(), '12345');
    await writing;
  });

  it('is flushed when the last byte was taken', async () => {
    const taken: string[] = [];
    const stream = new Writable({
      write: (chunk, _encoding, done) => {
        setImmediate(() => {
          taken.push(String(chunk));
          done();
        });
      },
    });
    const sink = new Sink(stream);
    await sink.write('a');
    await sink.write('b');
    await sink.flush();
    assert.equal(taken.join(''), 'ab');
  });

  for (const { code, isFailure } of [
    { code: 'EPIPE', isFailure: false },
    { code: 'ENOSPC', isFailure: true },
  ]) {
    it(`stops waiting after ${code}, which is ${isFailure ? 'a' : 'no'} failure`, async () => {
      const stream = new Writable({
        highWaterMark: 1,
        write: (_chunk, _encoding, done) => setImmediate(() => done(Object.assign(new Error(code), { code }))),
      });
      const sink = new Sink(stream);
      await sink.write('much');
      await sink.write('more');
      await sink.flush();
      assert.equal(sink.closed.aborted, true);
      assert.equal(sink.failure !== undefined, isFailure);
    });
  }
});

describe('headless notes', () => {
  it('say when a model is waited for, left, or broke off', () => {
    const until = Date.parse('2026-01-01T00:00:12.000Z');
    const why = 'gemini-x is overloaded';
    const events = stamped(
      { type: 'custom', kind: 'model_waiting', data: { model: 'gemini-x', attempt: 2, attempts: 10, until, why } },
      { type: 'custom', kind: 'model_switched', data: { from: 'gemini-x', to: 'gemini-y', why } },
      { type: 'custom', kind: 'answer_retracted', data: { from: 's-0' } },
      { type: 'custom', kind: 'message_delivered', data: { messageId: 'm' } },
    );
    assert.deepEqual(
      events.map((event) => noteOf(event)),
      [
        'gemini-x is overloaded. Trying again in 12 s, attempt 2 of 10.',
        'Switched from gemini-x to gemini-y: gemini-x is overloaded.',
        'The answer was cut off. The part that arrived is discarded.',
        undefined,
      ],
    );
  });
});
