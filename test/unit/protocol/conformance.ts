import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { AgentEvent } from '../../../extension/protocol/agent/agent-event.ts';
import type { AgentSend } from '../../../extension/protocol/agent/agent-protocol.ts';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import { plainText } from '../../../extension/protocol/agent/content-part.ts';
import { all, drain, message, until } from '../../support/conversation.ts';

/** A conversation partner, and a hand on what it says. */
export interface ProtocolFixture {
  readonly session: AgentSession;
  /** In the next run: these words, one message each. */
  willSay(...words: readonly [string, ...string[]]): void;
  /** In the next run: these words, then nothing until `goOn` lets it say the others. */
  willHold(before: string, after: string): { goOn(): void };
  dispose(): Promise<void>;
}

/** What holds for every partner, whoever answers behind it. */
export function describeProtocol(name: string, makeFixture: () => Promise<ProtocolFixture>): void {
  describe(`${name}: what every conversation partner does`, () => {
    let fixture: ProtocolFixture;
    let session: AgentSession;
    beforeEach(async () => {
      fixture = await makeFixture();
      session = fixture.session;
    });
    afterEach(() => fixture.dispose());

    /** A run that has said "one" and waits. */
    async function held(): Promise<{ streamId: string; goOn: () => void }> {
      const { goOn } = fixture.willHold('one', 'two');
      const { streamId } = await session.send(message('Hold'));
      await until(session, 'agent: one');
      return { streamId: streamId ?? '', goOn };
    }

    it('tells subscribers what it keeps, in order, from then on and no longer than they listen', async () => {
      fixture.willSay('before');
      await all(session, message('a'));
      const seen: AgentEvent[] = [];
      const stop = session.subscribe((event) => seen.push(event));
      assert.deepEqual(seen, []);
      const already = session.events.length;
      fixture.willSay('while');
      await all(session, message('b'));
      assert.deepEqual(seen.filter(isKept), session.events.slice(already));
      stop();
      fixture.willSay('after');
      await all(session, message('c'));
      assert.deepEqual(seen.filter(isKept), session.events.slice(already, already + seen.filter(isKept).length));
    });

    it('ends an open stream as aborted when it is stopped', async () => {
      const { streamId } = await held();
      await session.abort();
      const own = session.events.filter((event) => event.streamId === streamId);
      const last = own.at(-1);
      assert.ok(last?.type === 'agent_end' && last.reason === 'aborted');
      assert.equal(own.filter(({ type }) => type === 'agent_end').length, 1);
    });

    it('takes a stop when nothing runs', async () => {
      await session.abort();
      assert.ok(!session.events.some(({ type }) => type === 'agent_end'));
    });

    it('streams agent_start, the answer and agent_end of one stream, without the user message', async () => {
      fixture.willSay('one', 'two');
      const seen = await all(session, message('Hi'));
      assert.equal(seen[0]?.type, 'agent_start');
      assert.equal(seen.at(-1)?.type, 'agent_end');
      assert.deepEqual(wordsOf(seen), ['agent: one', 'agent: two']);
      assert.deepEqual(new Set(seen.map((event) => event.streamId)), new Set([seen[0]?.streamId]));
    });

    it('has the user message before send resolves, and the start only after', async () => {
      fixture.willSay('ok');
      const { streamId } = await session.send(message('Hi'));
      assert.equal(typeof streamId, 'string');
      const own = session.events.filter((event) => event.streamId === streamId);
      assert.deepEqual(wordsOf(own), ['user: Hi']);
      assert.ok(!own.some(({ type }) => type === 'agent_start'));
      const seen = await drain(session.stream({ streamId: streamId ?? '' }));
      assert.deepEqual(wordsOf(seen), ['agent: ok']);
    });

    it('loses nothing that happens between send and the first look at the stream', async () => {
      fixture.willSay('one', 'two');
      const { streamId } = await session.send(message('Hi'));
      await until(session, 'agent: two');
      await untilEnd(session, streamId);
      assert.deepEqual(wordsOf(await drain(session.stream({ streamId: streamId ?? '' }))), [
        'agent: one',
        'agent: two',
      ]);
    });

    it('numbers the events of each stream from 0 without gaps, with times', async () => {
      fixture.willSay('one');
      await all(session, message('a'));
      await session.send({ update: { title: 'Named' } });
      fixture.willSay('two', 'three');
      await all(session, message('b'));
      assertNumbered(session.events);
    });

    it('starts nothing for an update, and yields nothing, yet keeps it', async () => {
      assert.deepEqual(await all(session, { update: { title: 'Named' } }), []);
      const update = session.events.find((event) => event.type === 'session_update');
      assert.ok(update?.type === 'session_update' && update.title === 'Named');
      assert.ok(update.streamId.length > 0);
    });

    it('takes exactly one kind of payload', async () => {
      const both = { ...message('Hi'), update: { title: 'x' } } as AgentSend;
      await assert.rejects(session.send(both));
      await assert.rejects(session.send({} as AgentSend));
      assert.deepEqual(wordsOf(session.events), []);
    });

    it('refuses an action it does not know', async () => {
      await assert.rejects(session.send({ action: { type: 'fly', data: undefined } }), /fly/);
    });

    it('resumes strictly after an event', async () => {
      fixture.willSay('one', 'two');
      await all(session, message('Hi'));
      const at = session.events.findIndex((event) => wordsOf([event])[0] === 'agent: one');
      const rest = await drain(session.stream({ eventId: session.events[at]?.id ?? '' }));
      assert.deepEqual(rest, session.events.slice(at + 1));
    });

    it('is over at once after agent_end', async () => {
      fixture.willSay('one');
      await all(session, message('Hi'));
      assert.deepEqual(await drain(session.stream({ eventId: session.events.at(-1)?.id ?? '' })), []);
    });

    it('names an event id it does not know', async () => {
      await assert.rejects(drain(session.stream({ eventId: 'no-such-event' })), /no-such-event/);
    });

    it('refuses to resume in a stream without any activity, naming event and stream', async () => {
      await session.send({ update: { title: 'Named' } });
      const { id = '', streamId = '' } = session.events.at(-1) ?? {};
      const names = (error: Error): boolean => error.message.includes(id) && error.message.includes(streamId);
      await assert.rejects(drain(session.stream({ eventId: id })), names);
    });

    it('refuses to resume after a message whose run has not begun', async () => {
      fixture.willSay('ok');
      const { streamId } = await session.send(message('Hi'));
      const { id = '' } = session.events.at(-1) ?? {};
      await assert.rejects(session.stream({ eventId: id }).next(), new RegExp(id));
      await drain(session.stream({ streamId: streamId ?? '' }));
    });

    it('resumes from the start when the cursor is the user message before it', async () => {
      fixture.willSay('one');
      const whole = await all(session, message('Hi'));
      const asked = session.events.find((event) => wordsOf([event])[0] === 'user: Hi');
      assert.deepEqual(await drain(session.stream({ eventId: asked?.id ?? '' })), whole);
    });

    it('keeps to its stream when a newer one exists, also when it resumes inside', async () => {
      fixture.willSay('one', 'two');
      const first = await all(session, message('a'));
      fixture.willSay('three');
      const second = await all(session, message('b'));
      const at = first.findIndex((event) => wordsOf([event])[0] === 'agent: one');
      assert.deepEqual(await drain(session.stream({ eventId: first[at]?.id ?? '' })), first.slice(at + 1));
      assert.deepEqual(await drain(session.stream({ streamId: first[0]?.streamId ?? '' })), first);
      assert.deepEqual(await drain(session.stream({ streamId: second[0]?.streamId ?? '' })), second);
      assert.notEqual(first[0]?.streamId, second[0]?.streamId);
    });

    it('replays an open stream, then continues with what comes, to its end', async () => {
      const { streamId, goOn } = await held();
      const stream = session.stream({ streamId });
      const start = await stream.next();
      assert.equal(start.value?.type, 'agent_start');
      goOn();
      assert.deepEqual(wordsOf(await drain(stream)), ['agent: one', 'agent: two']);
    });

    it('delivers an end that came while the replay was being read, in its place', async () => {
      const { streamId, goOn } = await held();
      const stream = session.stream({ streamId });
      await stream.next();
      goOn();
      await untilEnd(session, streamId);
      const rest = await drain(stream);
      const own = session.events.filter((event) => event.streamId === streamId);
      assert.deepEqual(rest, own.slice(own.findIndex(({ type }) => type === 'agent_start') + 1));
    });

    it('follows the open stream when told nothing else, and the next one when there is none', async () => {
      const next = session.stream().next();
      const { streamId, goOn } = await held();
      assert.equal((await next).value?.streamId, streamId);
      const open = drain(session.stream());
      goOn();
      assert.deepEqual(wordsOf(await open), ['agent: one', 'agent: two']);
    });

    it('lets two readers follow the same stream', async () => {
      const { streamId, goOn } = await held();
      const readers = [drain(session.stream({ streamId })), drain(session.stream())];
      goOn();
      const [first, second] = await Promise.all(readers);
      assert.deepEqual(first?.filter(isKept), second?.filter(isKept));
    });

    it('takes a message during a run as part of that run, and follows it to the end', async () => {
      const { streamId, goOn } = await held();
      const steered = drain(session.sendStream(message('And this')));
      goOn();
      const seen = await steered;
      assert.deepEqual(new Set(seen.map((event) => event.streamId)), new Set([streamId]));
      assert.equal(seen.at(-1)?.type, 'agent_end');
      await session.abort();
    });

    it('keeps both messages, and gives each run an id of its own', async () => {
      fixture.willSay('one');
      fixture.willSay('two');
      const first = await all(session, message('a'));
      const second = await all(session, message('b'));
      assert.deepEqual(wordsOf(session.events), ['user: a', 'agent: one', 'user: b', 'agent: two']);
      assert.notEqual(first[0]?.streamId, second[0]?.streamId);
    });
  });
}

export function assertNumbered(events: readonly AgentEvent[]): void {
  const counts = new Map<string, number>();
  for (const { id, streamId, timestamp } of events) {
    const count = counts.get(streamId) ?? 0;
    assert.equal(id, `${streamId}-${count}`);
    assert.equal(new Date(timestamp).toISOString(), timestamp);
    counts.set(streamId, count + 1);
  }
}

function isKept({ id }: AgentEvent): boolean {
  return !id.includes('~');
}

function wordsOf(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'message' ? `${event.role}: ${plainText(event.content)}` : []));
}

async function untilEnd(session: AgentSession, streamId: string | null): Promise<void> {
  const isEnd = (event: AgentEvent): boolean => event.type === 'agent_end' && event.streamId === streamId;
  if (session.events.some(isEnd)) return;
  await new Promise<void>((resolve) => {
    const stop = session.subscribe((event) => {
      if (!isEnd(event)) return;
      stop();
      resolve();
    });
  });
}
