import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { noteOf } from '../../../extension/headless/notes.ts';
import { summarize } from '../../../extension/headless/run-summary.ts';
import { asked, ended, failed, said, stamped, toolCall, unreachable } from './events.ts';

describe('headless run summary', () => {
  it('tells what a run came to', () => {
    const summary = summarize(
      stamped(
        { type: 'initialize', version: 1, sessionId: 'abc', workspace: '/w', agentId: 'gantry' },
        asked('Hi'),
        { type: 'agent_start' },
        { type: 'session_update', model: 'gemini-x' },
        said('I will look.'),
        { type: 'usage', model: 'gemini-x-001', inputTokens: 10, outputTokens: 5 },
        ...toolCall('read_file'),
        ...toolCall('nonsense', true),
        said('It is '),
        said('42.'),
        { type: 'usage', model: 'gemini-x-001', inputTokens: 20, cachedTokens: 8 },
        ended(),
      ),
    );
    assert.deepEqual(summary, {
      sessionId: 'abc',
      response: 'It is 42.',
      model: 'gemini-x',
      usage: { inputTokens: 30, outputTokens: 5, cachedTokens: 8 },
      toolCalls: [
        { name: 'read_file', isError: false },
        { name: 'nonsense', isError: true },
      ],
      exitReason: 'completed',
    });
  });

  it('names protected files that changed while a command ran, which stderr says, too', () => {
    const file = {
      path: '/w/CLAUDE.md',
      name: 'CLAUDE.md',
      what: 'instructions for agents',
      restorable: true,
    } as const;
    const data = { id: 'p', callId: 'c', command: 'npm test', files: [{ ...file, kind: 'changed' as const }] };
    const events = stamped({ type: 'custom', kind: 'protected_changed', data });
    assert.deepEqual(summarize(events).protectedChanges, [
      { command: 'npm test', path: '/w/CLAUDE.md', kind: 'changed' },
    ]);
    const [line] = events.map((event) => noteOf(event));
    assert.match(
      line ?? '',
      /while "npm test" ran, .*: CLAUDE\.md \(instructions for agents, changed\)\. To restore them/,
    );
  });

  it('does not count what broke off and was asked for again', () => {
    const retracted = { type: 'custom', kind: 'answer_retracted', data: { from: 's-3' } } as const;
    const events = stamped(
      said('I will look.'),
      ...toolCall('read_file'),
      said('Wro'),
      said('ng'),
      retracted,
      said('Right'),
    );
    assert.equal(summarize(events).response, 'Right');
  });

  it('keeps the text before a tool call when nothing follows', () => {
    const { response, exitReason } = summarize(
      stamped(said('I will look.'), ...toolCall('read_file'), ended('max_turns')),
    );
    assert.deepEqual([response, exitReason], ['I will look.', 'max_turns']);
  });

  it('leaves thoughts, and what subagents say, out of the response', () => {
    const events = stamped(
      { type: 'message', role: 'agent', content: [{ type: 'thought', thought: 'Hm.' }] },
      said('Hello'),
      { ...said('from below'), threadId: 'child' },
      ended(),
    );
    assert.equal(summarize(events).response, 'Hello');
  });

  it('names the problem of a failed run', () => {
    const { error, exitReason } = summarize(stamped(failed(unreachable), ended('failed')));
    assert.deepEqual(error, {
      kind: 'unreachable',
      status: 'UNAVAILABLE',
      message: 'The endpoint did not answer. Check the address. Run the command again.',
    });
    assert.equal(exitReason, 'failed');
  });

  it('does not take a warning for the reason of the end', () => {
    const events = stamped(
      { type: 'error', status: 'ABORTED', message: 'once more', fatal: false },
      said('Hi'),
      ended(),
    );
    assert.equal(summarize(events).error, undefined);
  });

  it('calls a run without an end failed', () => {
    assert.equal(summarize([]).exitReason, 'failed');
  });
});
