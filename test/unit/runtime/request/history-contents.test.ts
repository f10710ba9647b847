import assert from 'node:assert/strict';
import {
  type BaseLlmRequestProcessor,
  CONTENT_REQUEST_PROCESSOR,
  createEvent,
  type Event,
  type InvocationContext,
  LlmAgent,
  type LlmRequest,
} from '@google/adk';
import type { Content, Part } from '@google/genai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { HistoryContents, HistoryProcessor } from '../../../../extension/runtime/request/history-contents.ts';
import { deepFreeze } from '../../../support/deep-freeze.ts';
import { runs } from '../../../support/test-size.ts';
import { AGENT, type Change, changed, wildChanges } from '../../../support/wild-history.ts';

const RUNS = runs(300, 3000);
const agent = new LlmAgent({ name: AGENT });

describe('The contents of a request', () => {
  it('are those that ADK gives, after any change of any history', async () => {
    let askedAdk = 0;
    const property = fc.asyncProperty(wildChanges, async (changes) => {
      const ours = new HistoryProcessor();
      for (const context of contextsOf(changes)) {
        assert.equal(await outcome(ours, context), await outcome(CONTENT_REQUEST_PROCESSOR, context));
      }
      const last = [...contextsOf(changes)].at(-1);
      if (last && !fromScratch(last)) askedAdk++;
    });
    await fc.assert(property, { numRuns: RUNS });
    assert.ok(askedAdk < RUNS / 2, `ADK was asked too often for this to mean much: ${askedAdk} of ${RUNS}`);
  });

  for (const [bug, spoil] of Object.entries(plantedBugs())) {
    it(`would be found to differ if we ${bug}`, async () => {
      const property = fc.asyncProperty(wildChanges, async (changes) => {
        for (const context of contextsOf(changes)) {
          const spoiled = { ...context, session: { ...context.session, events: context.session.events.map(spoil) } };
          const wrong = await outcome(CONTENT_REQUEST_PROCESSOR, spoiled as InvocationContext);
          assert.equal(wrong, await outcome(CONTENT_REQUEST_PROCESSOR, context));
        }
      });
      assert.equal((await fc.check(property, { numRuns: 3000, endOnFailure: true })).failed, true);
    });
  }

  it('are those of the events, in a list of their own', async () => {
    const events = [said('one'), said('two')];
    const ours = new HistoryProcessor();
    const [first, second] = [await contentsOf(ours, events), await contentsOf(ours, events)];
    assert.notEqual(first, second);
    first.pop();
    assert.deepEqual(
      second,
      events.map((event) => event.content),
    );
    assert.ok(second.every((content, index) => content === events[index]?.content));
  });

  it('look at each event once', async () => {
    let looks = 0;
    const watched = (text: string): Event => {
      const { content, ...event } = said(text);
      const get = (): typeof content => {
        looks++;
        return content;
      };
      return Object.defineProperty(event, 'content', { get });
    };
    const events = Array.from({ length: 50 }, (_, index) => watched(`${index}`));
    const ours = new HistoryProcessor();
    await contentsOf(ours, events);
    const before = looks;
    for (let turn = 0; turn < 10; turn++) {
      events.push(watched('more'));
      assert.equal((await contentsOf(ours, events)).length, events.length);
    }
    assert.equal(looks - before, 10 * (before / 50));
  });

  it('keep an answer whose id is a name that every object has, which ADK loses', async () => {
    const ids = ['a', 'constructor'];
    const calls = ids.map((id): Part => ({ functionCall: { id, name: 'read_file' } }));
    const answers = ids.map((id): Part => ({ functionResponse: { id, name: 'read_file' } }));
    const events = [
      createEvent({ author: AGENT, content: { role: 'model', parts: calls } }),
      ...answers.map((answer) => createEvent({ author: AGENT, content: { role: 'user', parts: [answer] } })),
      said('next'),
    ];
    assert.deepEqual((await contentsOf(new HistoryProcessor(), events))[1]?.parts, answers);
    assert.deepEqual((await contentsOf(CONTENT_REQUEST_PROCESSOR, events))[1]?.parts, [answers[0]]);
  });

  it('are left to ADK where the agent wants only the current turn', async () => {
    const current = new LlmAgent({ name: AGENT, includeContents: 'none' });
    const events = [
      said('one'),
      createEvent({ author: AGENT, content: { role: 'model', parts: [{ text: 'two' }] } }),
      said('three'),
    ];
    const request: LlmRequest = { contents: [], toolsDict: {}, liveConnectConfig: {} };
    const context = { agent: current, session: { events } } as unknown as InvocationContext;
    for await (const _ of new HistoryProcessor().runAsync(context, request));
    assert.deepEqual(
      request.contents.map((content) => content.parts?.[0]?.text),
      ['three'],
    );
  });
});

/** Changes of events that make ADK's own processor give what ours would give with the bug. */
function plantedBugs(): Record<string, (event: Event, index: number, events: readonly Event[]) => Event> {
  const withParts = (event: Event, change: (part: Part) => Part): Event => {
    const { content } = event;
    return content?.parts ? { ...event, content: { ...content, parts: content.parts.map(change) } } : event;
  };
  return {
    'ignored branches': ({ branch: _, ...event }) => event as Event,
    'ignored isolation': ({ isolationScope: _, ...event }) => event,
    'did not quote other agents': (event) =>
      ({ ...event, author: event.author === 'other' ? AGENT : event.author }) as Event,
    'kept the ids that ADK made up': (event) =>
      withParts(event, (part) => JSON.parse(JSON.stringify(part).replaceAll('adk-', 'own-')) as Part),
    'kept empty words': (event) => withParts(event, (part) => (part.text === '' ? { ...part, text: ' ' } : part)),
    'invented a role': (event) =>
      event.content ? { ...event, content: { ...event.content, role: event.content.role || 'user' } } : event,
    'took the first of two answers': (event, index, events) =>
      withParts(event, (part) => {
        const id = part.functionResponse?.id;
        const earlier =
          id &&
          events.slice(0, index).some((other) => other.content?.parts?.some((one) => one.functionResponse?.id === id));
        return earlier ? { functionResponse: { ...part.functionResponse, id: 'nobody' } } : part;
      }),
  };
}

function* contextsOf(changes: readonly Change[]): Generator<InvocationContext> {
  let events: Event[] = [];
  let place: { branch?: string | undefined; isolationScope?: string | undefined } = {};
  for (const change of changes) {
    events = changed(events, change);
    if (change.type === 'move') place = change;
    const { branch, isolationScope } = place;
    yield { agent, branch, isolationScope, session: { events } } as unknown as InvocationContext;
  }
}

function fromScratch({ branch, isolationScope, session }: InvocationContext): Content[] | undefined {
  return new HistoryContents({ agentName: AGENT, branch, isolationScope }).contents(session.events);
}

/** What goes over the wire, or why nothing does. */
async function outcome(processor: BaseLlmRequestProcessor, context: InvocationContext): Promise<string> {
  const request: LlmRequest = { contents: [], toolsDict: {}, liveConnectConfig: {} };
  try {
    for await (const _ of processor.runAsync(context, request)) assert.fail('no event is expected');
    return JSON.stringify(request.contents);
  } catch (error) {
    return String(error);
  }
}

async function contentsOf(processor: BaseLlmRequestProcessor, events: Event[]): Promise<Content[]> {
  const request: LlmRequest = { contents: [], toolsDict: {}, liveConnectConfig: {} };
  const context = { agent, session: { events } } as unknown as InvocationContext;
  for await (const _ of processor.runAsync(context, request));
  return request.contents;
}

function said(text: string): Event {
  const content: Content = { role: 'user', parts: [{ text }] };
  deepFreeze(content);
  return createEvent({ author: 'user', content });
}
