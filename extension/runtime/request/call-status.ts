import type { Event, LlmResponse } from '@google/adk';
import type { CallEvent, SwitchedEvent, WaitingEvent } from '../../model/calls/model-call.ts';
import type { RecordBody } from '../../sessions/session-record.ts';

type News = Extract<CallEvent, { type: 'retracted' | 'waiting' | 'switched' }>;

/**
 * The metadata key for status events of a request. They pass through ADK to keep their order with the answer's text.
 */
const KEY = 'gantry';

/** ADK drops a response without content unless it is interrupted, and does not store partial ones (docs/adk.md). */
export function statusResponse(news: News): LlmResponse {
  return {
    partial: true,
    interrupted: true,
    customMetadata: { [KEY]: news, ...(news.type === 'retracted' && { retract: true }) },
  };
}

/** The status event in a response; undefined if the response is part of an answer. */
export function statusIn({
  partial,
  customMetadata,
}: Pick<LlmResponse, 'partial' | 'customMetadata'>): News | undefined {
  return partial ? (customMetadata?.[KEY] as News | undefined) : undefined;
}

/** The records of a partial event of ADK. */
export function pieceRecords(event: Event): RecordBody[] {
  const news = statusIn(event);
  switch (news?.type) {
    case undefined:
      return [{ type: 'delta', parts: event.content?.parts ?? [] }];
    case 'retracted':
      return [{ type: 'retracted' }];
    case 'waiting':
      return [waitingRecord(news)];
    case 'switched':
      return switchRecords(news);
  }
}

function waitingRecord({ model, attempt, of: attempts, ms, why }: WaitingEvent): RecordBody {
  return { type: 'model_waiting', model, attempt, attempts, ms, why };
}

function switchRecords({ from, to, why, chosen }: SwitchedEvent): RecordBody[] {
  const switched: RecordBody = { type: 'model_switched', from, to, why };
  return chosen ? [{ type: 'choice', model: to }, switched] : [switched];
}
