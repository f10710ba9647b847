import assert from 'node:assert/strict';
import { createEvent, type Event } from '@google/adk';
import type { Content, Part } from '@google/genai';
import { describe, it } from 'mocha';
import { ProblemError } from '../../../../extension/protocol/agent/problem.ts';
import { noteMetadata, SessionContext } from '../../../../extension/runtime/request/session-context.ts';
import { Compactions } from '../../../../extension/sessions/compactions.ts';
import { deepFreeze } from '../../../support/deep-freeze.ts';

const WINDOW = 10_000;

describe('The context of a session', () => {
  it('is what was counted last and an estimate of what came since, after a restart as before', () => {
    const events = [said('Hello'), answered(1000, 1200), said('word '.repeat(100))];
    const { used, window, masked } = contextOf(events).use();
    assert.ok(used > 1250 && used < 1400, `${used}`);
    assert.deepEqual({ window, masked }, { window: WINDOW, masked: 3 });
    const stored: Event[] = JSON.parse(JSON.stringify(events));
    assert.deepEqual(contextOf(stored).use(), contextOf(events).use());
  });

  it('is estimated as long as nothing was counted, and not learnt from failures', () => {
    const failed = createEvent({ author: 'gantry', errorCode: 'server', usageMetadata: { promptTokenCount: 99_999 } });
    const { used } = contextOf([said('word '.repeat(100)), failed]).use();
    assert.ok(used > 80 && used < 120, `${used}`);
  });

  it('sends a request that fits as it is', () => {
    const contents = [user({ text: 'word '.repeat(1000) })];
    const { contents: sent, note } = contextOf([]).fit('test', contents, undefined);
    assert.deepEqual(sent, contents);
    assert.equal(note.leftOut, 0);
  });

  it('omits old pictures before it refuses, and says how many', () => {
    const old = Array.from({ length: 12 }, () => user(picture()));
    const { contents, note } = contextOf([]).fit('gemini-3', [...old, user({ text: 'And now?' })], undefined);
    assert.ok(note.leftOut >= 4 && note.leftOut < 12, `${note.leftOut}`);
    assert.equal(contents.filter(({ parts }) => parts?.[0]?.inlineData).length, 12 - note.leftOut);
  });

  it('refuses what does not fit without them, and names what is largest', () => {
    const contents = [user({ text: 'start '.repeat(12_000) }), user(picture()), user({ text: 'Go on' })];
    assert.throws(
      () => contextOf([]).fit('gemini-3', contents, undefined),
      (error) => {
        assert.ok(ProblemError.is(error, 'context-full'));
        assert.deepEqual(error.problem.actions, ['compress', 'new-session', 'switch-model']);
        assert.match(error.problem.detail, /is 10,000\. Nothing was sent, .*“start start .*: 12,0\d\d tokens/);
        return true;
      },
    );
  });

  it('lets the server decide where an estimate that was never corrected is near the limit', () => {
    const near = [user({ text: 'word '.repeat(10_800) })];
    assert.equal(contextOf([]).fit('test', near, undefined).contents.length, 1);
    const counted = [answered(1000, 1000, 'test')];
    assert.throws(() => contextOf(counted).fit('test', near, undefined), /too long/);
  });

  it('believes what the server counted more than its own estimate', () => {
    const contents = [user({ text: 'word '.repeat(8000) })];
    const counted = [answered(4000, 6000, 'test')];
    assert.throws(() => contextOf(counted).fit('test', contents, undefined), /too long/);
    // What another model counted says nothing of this one.
    assert.equal(contextOf(counted).fit('other', contents, undefined).contents.length, 1);
  });

  it('refuses a message that is too long by itself, and names what to remove', () => {
    const parts = [{ text: 'Look at these' }, { text: 'data '.repeat(9000) }, picture('plan.png'), picture()];
    const { detail } = problemOf(() => contextOf([]).checkMessage(parts));
    assert.match(
      detail,
      /“data data data.*\(44 KB\): 9,0\d\d tokens; plan\.png, image\/png, 3 KB: 1,548 tokens; image\/png/,
    );
    assert.match(detail, /Nothing was sent\. .* Remove some of it/);
    contextOf([]).checkMessage([{ text: 'Short' }]);
  });
});

function contextOf(events: readonly Event[]): SessionContext {
  deepFreeze(events);
  const history = { events: [...events], compactions: new Compactions(() => false), positionOf: () => undefined };
  return new SessionContext({ history, model: () => 'test', windowOf: () => WINDOW });
}

function said(text: string): Event {
  return createEvent({ author: 'user', content: { role: 'user', parts: [{ text }] } });
}

function answered(estimated: number, promptTokenCount: number, model = 'test'): Event {
  return createEvent({
    author: 'gantry',
    content: { role: 'model', parts: [{ text: 'Hi' }] },
    usageMetadata: { promptTokenCount, candidatesTokenCount: 2 },
    customMetadata: noteMetadata({ model, estimated, masked: { outputs: 3, tokens: 500 }, leftOut: 0 }),
  });
}

function user(part: Part): Content {
  return { role: 'user', parts: [part] };
}

function picture(displayName?: string): Part {
  return { inlineData: { data: 'A'.repeat(4096), mimeType: 'image/png', ...(displayName && { displayName }) } };
}

function problemOf(act: () => void): { readonly detail: string } {
  try {
    act();
  } catch (error) {
    if (ProblemError.is(error)) return error.problem;
  }
  throw new assert.AssertionError({ message: 'There was no problem' });
}
