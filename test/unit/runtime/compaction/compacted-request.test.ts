import assert from 'node:assert/strict';
import { createEvent, type Event } from '@google/adk';
import type { Content } from '@google/genai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { CompactedRequest } from '../../../../extension/runtime/compaction/compacted-request.ts';
import { HistoryContents } from '../../../../extension/runtime/request/history-contents.ts';
import { SessionHistory } from '../../../../extension/sessions/session-history.ts';
import { historyError } from '../../../support/gemini/rules/contents.ts';
import { AGENT } from '../../../support/wild-history.ts';
import { conversation } from '../../context/compaction/builders.ts';

const AT = '2026-03-01T10:00:00.000Z';
const SUMMARY = '<state_snapshot>All of it.</state_snapshot>';

/** A history with a snapshot that may stand for the events up to any one of them, as a log might say. */
const compactedHistory = fc.tuple(conversation, fc.nat(), fc.nat(3)).map(([contents, at, cuts]) => {
  const history = new SessionHistory();
  const events = contents.map(eventOf);
  for (const event of events) history.take({ type: 'event', at: AT, event });
  const upToEventId = events.length > 0 ? `event-${at % events.length}` : 'gone';
  const outputs = Array.from({ length: cuts }, (_, id) => ({ callId: `call-${id}`, file: `/outputs/${id}` }));
  history.take({ type: 'outputs_cut', at: AT, outputs, threshold: 100, tokensBefore: 2, tokensAfter: 1 });
  const tokens = { tokensBefore: 2, tokensAfter: 1, trigger: 'auto', model: 'm' } as const;
  history.take({ type: 'compacted', at: AT, upToEventId, summary: SUMMARY, ...tokens });
  return history;
});

describe('A compacted history', () => {
  it('is one that the API takes, with every message after the snapshot', () => {
    fc.assert(
      fc.property(compactedHistory, (history) => {
        const all = contentsOf(history);
        const { contents, summaryLength } = new CompactedRequest(history).contents(all);
        fc.pre(all.length > 0);
        assert.equal(historyError(all), undefined);
        assert.equal(historyError(contents), undefined);
        const upTo = history.positionOf(history.compactions.inForce?.upToEventId ?? '') ?? -1;
        for (const { content } of history.events.slice(upTo + 1)) {
          if (content?.parts?.some(({ text }) => text)) assert.ok(contents.includes(content));
        }
        if (summaryLength === 0) assert.equal(contents.length, all.length);
      }),
      { numRuns: 500 },
    );
  });

  it('is the same twice, and for another who reads the same log', () => {
    fc.assert(
      fc.property(compactedHistory, (history) => {
        const request = new CompactedRequest(history);
        const once = JSON.stringify(request.contents(contentsOf(history)));
        assert.equal(JSON.stringify(request.contents(contentsOf(history))), once);
        assert.equal(JSON.stringify(new CompactedRequest(history).contents(contentsOf(history))), once);
      }),
    );
  });

  it('is whole when its contents are copies, which nobody can tell from each other', () => {
    fc.assert(
      fc.property(compactedHistory, (history) => {
        const copies = structuredClone(contentsOf(history));
        const last = history.positionOf(history.compactions.inForce?.upToEventId ?? '') ?? -1;
        const saidSince = history.events.slice(last + 1).some(({ author }) => author === 'user');
        const { summaryLength } = new CompactedRequest(history).contents(copies);
        if (saidSince) assert.equal(summaryLength, 0);
      }),
    );
  });
});

function eventOf(content: Content, index: number): Event {
  const isMessage = content.role === 'user' && content.parts?.[0]?.text !== undefined;
  return createEvent({ id: `event-${index}`, author: isMessage ? 'user' : AGENT, content });
}

function contentsOf({ events }: SessionHistory): Content[] {
  const viewpoint = { agentName: AGENT, branch: undefined, isolationScope: undefined };
  return new HistoryContents(viewpoint).contents(events) ?? [];
}
