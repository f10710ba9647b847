import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AgentEvent, AgentEventBody } from '../../../extension/protocol/agent/agent-event.ts';
import { textPart } from '../../../extension/protocol/agent/content-part.ts';
import { openEntries } from '../../../extension/protocol/feed/facts.ts';
import { turnAnswer } from '../../../extension/protocol/transcript/entry-text.ts';
import { Transcript } from '../../../extension/protocol/transcript/transcript.ts';
import { entrySchema } from '../../../extension/protocol/transcript/transcript-entry.ts';

type Body = AgentEventBody & { readonly threadId?: string };

/** The transcript after these events, a second apart. Every entry is one that the panel takes. */
function played(bodies: readonly Body[]): Transcript {
  const transcript = new Transcript();
  bodies.forEach((body, index) => {
    const stamp = { id: `s-${index}`, streamId: 's', timestamp: new Date(1000 * index).toISOString() };
    const changes = transcript.apply({ ...body, ...stamp } as AgentEvent);
    for (const change of changes) if (change.op === 'put') entrySchema.parse(change.entry);
  });
  return transcript;
}

const user = (text: string): Body => ({
  type: 'message',
  role: 'user',
  content: [textPart(text)],
  _meta: { messageId: text },
});
const agent = (text: string): Body => ({ type: 'message', role: 'agent', content: [textPart(text)] });
const start: Body = { type: 'agent_start' };
const end: Body = { type: 'agent_end', reason: 'completed' };
const usage = (amount?: number): Body => ({
  type: 'usage',
  model: 'm',
  inputTokens: 10,
  outputTokens: 1,
  ...(amount !== undefined && { cost: { amount, currency: 'USD' } }),
});
const todos = (requestId: string, ...descriptions: string[]): Body => ({
  type: 'tool_response',
  requestId,
  name: 'write_todos',
  data: { todos: descriptions.map((description) => ({ description, status: 'pending' })) },
});

describe('A turn', () => {
  it('has cost what its requests have cost together', () => {
    const { entries } = played([user('a'), start, usage(0.01), usage(0.02), end]);
    const last = entries.at(-1);
    assert.deepEqual(last?.kind === 'usage' && last.cost, { amount: 0.03, currency: 'USD' });
  });

  it('has no cost when the price of one request is not known', () => {
    const { entries } = played([user('a'), start, usage(0.01), usage(), usage(0.02), end]);
    const last = entries.at(-1);
    assert.equal(last?.kind === 'usage' && last.cost, undefined);
  });

  it('knows when a tool began and how long it took', () => {
    const { entries } = played([
      start,
      { type: 'tool_request', requestId: 'c', name: 'glob', args: {} },
      agent('x'),
      { type: 'tool_response', requestId: 'c', name: 'glob' },
    ]);
    const tool = entries.find(({ kind }) => kind === 'tool');
    assert.deepEqual(tool?.kind === 'tool' && [tool.at, tool.tookMs], [1000, 2000]);
  });

  it('can be copied without those around it', () => {
    const { entries } = played([
      user('a'),
      start,
      agent('One.'),
      usage(),
      end,
      user('b'),
      start,
      agent('Two.'),
      usage(),
      end,
    ]);
    const ends = entries.filter(({ kind }) => kind === 'usage').map(({ id }) => turnAnswer(entries, id));
    assert.deepEqual(ends, ['One.', 'Two.']);
    assert.equal(turnAnswer(entries, 'unknown'), '');
  });
});

describe('The todo list', () => {
  it('is the one that was written last', () => {
    assert.deepEqual(
      played([start, todos('1', 'a'), todos('2', 'a', 'b')]).todos.map(({ description }) => description),
      ['a', 'b'],
    );
  });

  it('is the one before when a rewind takes the last one away', () => {
    const rewind: Body = {
      type: 'custom',
      kind: 'rewind',
      data: { rewindId: 'r', messageId: 'second', what: 'conversation' },
    };
    const events = [user('first'), start, todos('1', 'a'), end, user('second'), start, todos('2', 'b'), end, rewind];
    assert.deepEqual(
      played(events).todos.map(({ description }) => description),
      ['a'],
    );
  });

  it('is not taken from something of another shape', () => {
    const odd: Body = {
      type: 'tool_response',
      requestId: '1',
      name: 'write_todos',
      data: { todos: [{ description: 3 }] },
    };
    assert.deepEqual(played([start, odd]).todos, []);
  });
});

describe('A message during a run', () => {
  const steer: Body = {
    type: 'message',
    role: 'user',
    content: [textPart('Slower')],
    _meta: { messageId: 'm', pending: 'steer' },
  };
  const delivered: Body = { type: 'custom', kind: 'message_delivered', data: { messageId: 'm' } };
  const lastOf = (bodies: readonly Body[]) => {
    const last = played(bodies).entries.at(-1);
    return last?.kind === 'user' && [last.pending, last.steered];
  };

  it('has steered it once the agent took it', () => {
    assert.deepEqual(lastOf([user('a'), start, steer]), ['steer', undefined]);
    assert.deepEqual(lastOf([user('a'), start, steer, delivered]), [undefined, true]);
  });

  it('that came too late for it is a message like any other', () => {
    assert.deepEqual(lastOf([user('a'), start, steer, end, delivered]), [undefined, undefined]);
  });
});

describe('A switch', () => {
  const mode = (approvalMode: string): Body => ({ type: 'session_update', config: { approvalMode } });
  const model = (name: string): Body => ({ type: 'session_update', model: name, config: { model: name } });
  const notes = (...bodies: readonly Body[]): string[] =>
    played(bodies).entries.flatMap((entry) => (entry.kind === 'note' ? [entry.text] : []));

  it('of the mode leaves a line, and several in a row one', () => {
    assert.deepEqual(notes(mode('autoEdit'), user('a'), start, end), []);
    const switched = [user('a'), start, end, mode('autoEdit'), mode('plan'), mode('plan'), user('b'), mode('default')];
    assert.deepEqual(notes(...switched), [
      'Plan mode on: nothing is changed before you approve a plan',
      'Default mode on: edits and commands require approval',
    ]);
  });

  it('by a plan is told by its call', () => {
    const call: Body = { type: 'tool_request', requestId: 'c', name: 'exit_plan_mode', args: {} };
    assert.deepEqual(notes(user('a'), start, call, mode('default')), []);
  });

  it('of the model leaves a line, or the reason for it', () => {
    assert.deepEqual(notes(user('a'), model('flash')), ['From here on, flash answers']);
    assert.deepEqual(notes(user('a'), { type: 'session_update', model: 'flash' }), [], 'one that was routed to');
    const why: Body = {
      type: 'custom',
      kind: 'model_switched',
      data: { from: 'pro', to: 'flash', why: 'over its limit' },
    } as Body;
    assert.deepEqual(notes(user('a'), model('flash'), why), ['Switched from pro to flash: over its limit']);
  });

  it('leaves what can be done with the turn before it', () => {
    const { entries } = played([user('a'), start, usage(), end, mode('autoEdit')]);
    const last = entries.findLast(({ kind }) => kind === 'usage');
    assert.deepEqual([...openEntries(entries.toReversed())], [last?.id]);
  });
});

describe('A subagent', () => {
  const of = (body: AgentEventBody): Body => ({ ...body, threadId: 't' });
  const begun: readonly Body[] = [
    start,
    { type: 'tool_request', requestId: 'c', name: 'invoke_agent', args: {}, display: { description: 'Look' } },
    { type: 'tool_update', requestId: 'c', display: { result: { type: 'agent', threadId: 't' } } },
    of({ type: 'initialize', version: 1, sessionId: 's', workspace: '', agentId: 'scout' }),
    of({ type: 'tool_request', requestId: 'n1', name: 'glob', args: {}, display: { description: '*.ts' } }),
  ];

  it('tells what it does on the card of its call, and nowhere else', () => {
    const { entries } = played([
      ...begun,
      of({
        type: 'tool_response',
        requestId: 'n1',
        name: 'glob',
        display: { description: '*.ts', resultSummary: '3 files' },
      }),
      of(usage() as AgentEventBody),
      of(agent('Found it.') as AgentEventBody),
      agent('Now then.'),
    ]);
    assert.deepEqual(
      entries.map(({ kind }) => kind),
      ['tool', 'answer'],
    );
    const [card] = entries;
    assert.ok(card?.kind === 'tool' && card.agent);
    const { name, turns, tokens, steps, words } = card.agent;
    assert.deepEqual({ name, turns, tokens, words }, { name: 'scout', turns: 1, tokens: 11, words: 'Found it.' });
    assert.deepEqual(steps, [{ id: 'n1', name: 'glob', subject: '*.ts', summary: '3 files', status: 'success' }]);
  });

  it('asks in a card of its own, which goes with the answer', () => {
    const question = of({
      type: 'elicitation_request',
      requestId: 'q',
      message: 'May it?',
      requestedSchema: {},
      display: 'inline',
      _meta: { callId: 'n1' },
    });
    const asked = played([...begun, question]).entries;
    assert.deepEqual(
      asked.map((entry) => entry.kind === 'tool' && [entry.name, entry.approval?.requestId, entry.agent?.waits]),
      [
        ['invoke_agent', undefined, true],
        ['glob', 'q', undefined],
      ],
    );
    const answer = of({ type: 'elicitation_response', requestId: 'q', action: 'accept', content: {} });
    const after = played([...begun, question, answer]).entries;
    assert.deepEqual(
      after.map((entry) => entry.kind === 'tool' && [entry.name, entry.agent?.waits]),
      [['invoke_agent', false]],
    );
  });

  it('that works for another is shown in the thread of that one, which waits with it', () => {
    const below = (body: AgentEventBody): Body => ({ ...body, threadId: 'u' });
    const question = { requestId: 'q', message: 'May it?', requestedSchema: {}, display: 'inline' } as const;
    const transcript = played([
      ...begun,
      of({ type: 'tool_request', requestId: 'n2', name: 'invoke_agent', args: {} }),
      of({ type: 'tool_update', requestId: 'n2', display: { result: { type: 'agent', threadId: 'u' } } }),
      below({ type: 'initialize', version: 1, sessionId: 'u', workspace: '', agentId: 'digger' }),
      below({ type: 'tool_request', requestId: 'd1', name: 'write_file', args: {} }),
      below({ type: 'elicitation_request', ...question, _meta: { callId: 'd1' } }),
    ]);
    const outer = transcript.entries.find((entry) => entry.kind === 'tool' && entry.name === 'invoke_agent');
    assert.ok(outer?.kind === 'tool');
    assert.deepEqual([outer.agent?.name, outer.agent?.waits], ['scout', true]);
    const inner = transcript.thread('t')?.entries.find((entry) => entry.id === 'n2');
    assert.ok(inner?.kind === 'tool');
    assert.deepEqual([inner.agent?.name, inner.agent?.waits], ['digger', true]);
    assert.equal(transcript.entries.filter((entry) => entry.kind === 'tool' && entry.approval).length, 1);
  });

  it('has a thread that can be read whole, and followed', () => {
    const transcript = played([
      ...begun,
      of(user('Look for it') as AgentEventBody),
      of({ type: 'tool_response', requestId: 'n1', name: 'glob' }),
    ]);
    const thread = transcript.thread('t');
    assert.deepEqual(
      thread?.entries.map((entry) => (entry.kind === 'tool' ? entry.id : entry.kind)),
      ['n1'],
    );
    assert.equal(transcript.thread('other'), undefined);
    const seen: unknown[] = [];
    const unwatch = thread?.watch((changes) => seen.push(...changes.map(({ op }) => op)));
    const more = { id: 's-9', streamId: 's', timestamp: new Date(9000).toISOString() };
    transcript.apply({ ...of(agent('Found it.') as AgentEventBody), ...more } as AgentEvent);
    unwatch?.();
    transcript.apply({ ...of(agent(' There.') as AgentEventBody), ...more, id: 's-10' } as AgentEvent);
    assert.deepEqual(seen, ['put']);
    const last = thread?.entries.at(-1);
    assert.equal(last?.kind === 'answer' && last.text, 'Found it. There.');
  });
});
