import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AgentEvent, AgentEventBody } from '../../../../extension/protocol/agent/agent-event.ts';
import { textPart } from '../../../../extension/protocol/agent/content-part.ts';
import { Transcript } from '../../../../extension/protocol/transcript/transcript.ts';
import {
  type Entry,
  entrySchema,
  type TranscriptChange,
} from '../../../../extension/protocol/transcript/transcript-entry.ts';

describe('The transcript', () => {
  it('shows a turn with thinking, a tool and an answer as one entry each', () => {
    const { transcript } = played([
      user('Look at a.ts'),
      { type: 'agent_start' },
      thought('Let me '),
      thought('look.'),
      { type: 'tool_request', requestId: 'c1', name: 'read_file', args: {}, display: { description: 'a.ts' } },
      {
        type: 'tool_response',
        requestId: 'c1',
        name: 'read_file',
        display: { description: 'a.ts', resultSummary: '1–9' },
      },
      agent('It is '),
      agent('fine.'),
      { type: 'usage', model: 'm', inputTokens: 10, outputTokens: 4 },
      { type: 'agent_end', reason: 'completed' },
    ]);
    assert.deepEqual(transcript.entries.map(outline), [
      'user: Look at a.ts',
      'thinking: Let me look. (done)',
      'tool: read_file a.ts 1–9 (success)',
      'answer: It is fine. (done)',
      'usage: 10 in, 4 out',
    ]);
    assert.equal(transcript.title, 'Look at a.ts');
  });

  it('keeps what arrived of an answer that broke, and shows the problem', () => {
    const { transcript } = played([
      user('x'),
      { type: 'agent_start' },
      agent('Half'),
      { type: 'error', status: 'UNAVAILABLE', message: 'gone', fatal: true },
      { type: 'agent_end', reason: 'failed' },
    ]);
    assert.deepEqual(transcript.entries.map(outline), ['user: x', 'answer: Half (interrupted)', 'problem: gone']);
  });

  it('leaves no spinner behind when the user stops', () => {
    const { transcript } = played([
      user('x'),
      { type: 'agent_start' },
      thought('Hm'),
      { type: 'tool_request', requestId: 'c1', name: 'read_file', args: {} },
      { type: 'agent_end', reason: 'aborted' },
    ]);
    assert.deepEqual(transcript.entries.map(outline), [
      'user: x',
      'thinking: Hm (done)',
      'tool: read_file  stopped (cancelled)',
      'note: Stopped',
    ]);
  });

  it('sends deltas as deltas: an answer is put once and then appended to', () => {
    const { changes } = played([user('x'), { type: 'agent_start' }, agent('a'), agent('b'), agent('c')]);
    assert.deepEqual(
      changes.map((change) => change.op),
      ['put', 'put', 'append', 'append'],
    );
  });

  it('shows what an edit changed, and with which words another was rejected', () => {
    const diff = { type: 'diff', beforeText: 'a', afterText: 'b', patch: '@@ -1,1 +1,1 @@\n-a\n+b' } as const;
    const { transcript, changes } = played([
      { type: 'tool_request', requestId: 'c1', name: 'replace', args: {} },
      { type: 'tool_response', requestId: 'c1', name: 'replace', display: { result: diff } },
      { type: 'tool_request', requestId: 'c2', name: 'replace', args: {} },
      {
        type: 'tool_response',
        requestId: 'c2',
        name: 'replace',
        isError: true,
        data: { errorType: 'rejected', reason: 'not now' },
      },
    ]);
    const [edit, no] = transcript.entries;
    assert.ok(edit?.kind === 'tool' && no?.kind === 'tool');
    assert.equal(edit.patch, diff.patch);
    assert.deepEqual([no.status, no.rejected, no.patch], ['cancelled', 'not now', undefined]);
    assertFits(changes);
  });

  it('says of a question that nobody answered it, and what the user had begun', () => {
    const asked: AgentEventBody[] = [
      { type: 'tool_request', requestId: 'c1', name: 'replace', args: {} },
      {
        type: 'elicitation_request',
        requestId: 'q1',
        message: '',
        requestedSchema: {},
        display: 'inline',
        _meta: { callId: 'c1' },
      },
      { type: 'elicitation_response', requestId: 'q1', action: 'decline', content: { timeout: 5 } },
    ];
    const data = { errorType: 'rejected', timeout: 5, question: 'q1', begun: 'Not two.' };
    const answer = { type: 'tool_response', requestId: 'c1', name: 'replace', isError: true, data } as const;
    for (const { transcript, changes } of [played(asked), played([...asked, answer])]) {
      const [entry] = transcript.entries;
      assert.ok(entry?.kind === 'tool');
      assert.deepEqual(entry.unanswered, { requestId: 'q1', minutes: 5 });
      assert.deepEqual([entry.approval, entry.rejected], [undefined, undefined]);
      assert.equal(entry.detail, entry.status === 'running' ? '' : 'You had begun an answer:\nNot two.');
      assertFits(changes);
    }
  });

  it('makes only messages that the webview accepts', () => {
    const { changes } = played([
      user('x'),
      { type: 'agent_start' },
      thought('t'),
      agent('a'),
      { type: 'tool_request', requestId: 'c', name: 'n', args: {} },
      { type: 'tool_response', requestId: 'c', name: 'n', isError: true, content: [textPart('no such file')] },
      { type: 'error', status: 'INTERNAL', message: 'm', fatal: true },
      { type: 'agent_end', reason: 'max_turns' },
    ]);
    assertFits(changes);
  });
});

function played(bodies: AgentEventBody[]): { transcript: Transcript; changes: TranscriptChange[] } {
  const transcript = new Transcript();
  const changes = bodies.flatMap((body, index) => {
    const timestamp = new Date(index * 1000).toISOString();
    return transcript.apply({ id: `s-${index}`, streamId: 's', timestamp, ...body } as AgentEvent);
  });
  return { transcript, changes };
}

function user(text: string): AgentEventBody {
  return { type: 'message', role: 'user', content: [textPart(text)] };
}

function agent(text: string): AgentEventBody {
  return { type: 'message', role: 'agent', content: [textPart(text)] };
}

function thought(text: string): AgentEventBody {
  return { type: 'message', role: 'agent', content: [{ type: 'thought', thought: text }] };
}

function outline(entry: Entry): string {
  switch (entry.kind) {
    case 'user':
    case 'note':
      return `${entry.kind}: ${entry.text}`;
    case 'answer':
      return `answer: ${entry.text} (${entry.state})`;
    case 'thinking':
      return `thinking: ${entry.text} (${entry.running ? 'running' : 'done'})`;
    case 'tool':
      return `tool: ${entry.name} ${entry.subject} ${entry.summary} (${entry.status})`;
    case 'problem':
      return `problem: ${entry.problem.detail}`;
    case 'compacted':
      return `compacted: ${entry.trigger} ${entry.tokensBefore} to ${entry.tokensAfter}`;
    case 'protected':
      return `protected: ${entry.files.map(({ name, state }) => `${name} ${state}`).join(', ')}`;
    case 'retry':
      return `retry: ${entry.why}, attempt ${entry.attempt} of ${entry.attempts}`;
    case 'choice':
      return `choice: ${entry.title} (${entry.options.map(({ label }) => label).join(', ')})`;
    case 'usage':
      return `usage: ${entry.inputTokens} in, ${entry.outputTokens} out`;
  }
}

describe('A card of a compaction', () => {
  const compacted = (keptFrom?: string): AgentEventBody => ({
    type: 'custom',
    kind: 'compacted',
    data: { trigger: 'auto', tokensBefore: 600, tokensAfter: 60, summary: 's', ...(keptFrom && { keptFrom }) },
  });
  const said = (id: string): AgentEventBody => ({ ...user(id), _meta: { messageId: id } }) as AgentEventBody;
  const rewind = (messageId: string): AgentEventBody => ({
    type: 'custom',
    kind: 'rewind',
    data: { rewindId: 'r', messageId, what: 'conversation' },
  });

  it('stays for as long as its snapshot is sent', () => {
    const kept = played([said('a'), said('b'), said('c'), compacted('b'), agent('x'), rewind('c')]);
    assert.deepEqual(kept.transcript.entries.map(outline), ['user: a', 'user: b', 'compacted: auto 600 to 60']);
    const gone = played([said('a'), said('b'), said('c'), compacted('b'), agent('x'), rewind('a')]);
    assert.deepEqual(gone.transcript.entries, []);
    const whole = played([said('a'), agent('x'), compacted(), said('b'), rewind('a')]);
    assert.deepEqual(whole.transcript.entries, []);
    assertFits(kept.changes);
  });
});

/** The panel's schema takes every entry. */
function assertFits(changes: readonly TranscriptChange[]): void {
  for (const change of changes) if (change.op === 'put') entrySchema.parse(change.entry);
}
