import type { Event } from '@google/adk';
import type { Content, GenerateContentConfig, Part } from '@google/genai';
import * as z from 'zod';
import { once } from '../../base/once.ts';
import { checkMessageFits, contextFull } from '../../context/context-problems.ts';
import { withoutOldMedia } from '../../context/old-media.ts';
import { COUNTS_USED, type CountedRequest, correctedTokens, correctionOf } from '../../context/token-correction.ts';
import { configTokens, estimateTokens, GrowingEstimate } from '../../context/token-estimate.ts';
import { mediaRuleOf } from '../../context/tokens/media-tokens.ts';
import type { PanelState } from '../../protocol/panel/panel-messages.ts';
import type { SessionHistory } from '../../sessions/session-history.ts';
import type { MaskedSummary } from './masking-processor.ts';

export interface FittedRequest {
  readonly contents: Content[];
  /** Stored with the answer. */
  readonly note: ContextNote;
}

export interface SessionContextParts {
  /** The events and their compactions. */
  readonly history: Pick<SessionHistory, 'events' | 'compactions' | 'positionOf'>;
  /** The model of the last or next request. */
  readonly model: () => string;
  readonly windowOf: (model: string) => number;
}

/** The last known token count, and the index of the event that it includes. */
interface Known {
  readonly tokens: number;
  readonly at: number;
  readonly note: ContextNote | undefined;
}

/** If pictures have to be removed, enough of them are removed to leave room for the next requests. */
const ROOM_FOR_NEXT = 0.8;
/** The error margin of an estimate that no count has corrected yet. Within it, the server decides. */
const UNCERTAINTY = 1.15;

/** How much of the model's window one session uses, by the server's counts as far as they are known. */
export class SessionContext {
  /** The masked outputs of the current request. */
  masked: MaskedSummary = NOTHING_MASKED;

  private readonly estimate = new GrowingEstimate();

  constructor(private readonly parts: SessionContextParts) {}

  /** The contents to send to this model. Throws a `ProblemError` if they can't fit. */
  fit(model: string, contents: readonly Content[], config: GenerateContentConfig | undefined): FittedRequest {
    const window = this.parts.windowOf(model);
    const counts = this.countsOf(model);
    const overhead = configTokens(config);
    const estimated = this.estimate.tokens(contents, model) + overhead;
    const tokens = correctedTokens(estimated, counts);
    if (tokens <= window) return this.fitted(model, [...contents], estimated, 0);
    const tooMany = (tokens - window * ROOM_FOR_NEXT) / correctionOf(counts);
    const lighter = withoutOldMedia(contents, tooMany, mediaRuleOf(model));
    const left = estimateTokens(lighter.contents, model) + overhead;
    const leftTokens = correctedTokens(left, counts);
    if (leftTokens > (counts.length > 0 ? window : window * UNCERTAINTY)) {
      throw contextFull(leftTokens, window, model, lighter.contents);
    }
    return this.fitted(model, lighter.contents, left, lighter.leftOut);
  }

  /** Throws a `ProblemError` if the message alone is too long. */
  checkMessage(parts: readonly Part[]): void {
    const model = this.parts.model();
    checkMessageFits(parts, this.parts.windowOf(model), model);
  }

  /** The last count, plus an estimate of later events. Depends on the log alone, so it is the same after a restart. */
  use(): PanelState['context'] {
    const { tokens, at, note } = this.lastKnown();
    const model = note?.model ?? this.parts.model();
    const since = estimateTokens(
      this.parts.history.events.slice(at + 1).flatMap(({ content }) => content ?? []),
      model,
    );
    return {
      used: Math.round(tokens + since * correctionOf(this.countsOf(model))),
      window: this.parts.windowOf(this.parts.model()),
      masked: note?.masked.outputs ?? 0,
      leftOut: note?.leftOut ?? 0,
    };
  }

  /** What was masked or omitted in the last counted request. */
  shortened(): { readonly masked: number; readonly leftOut: number } {
    const { note } = this.lastKnown();
    return { masked: note?.masked.tokens ?? 0, leftOut: note?.leftOut ?? 0 };
  }

  tokensLeft(): number {
    const { used, window } = this.use();
    return window - used;
  }

  /** The server's last count. If a snapshot has replaced what it counted, the estimated size after that compaction. */
  private lastKnown(): Known {
    const { history } = this.parts;
    const { events, compactions } = history;
    const at = events.findLastIndex((event) => countOf(event) !== undefined);
    const answer = events[at];
    const snapshot = compactions.inForce;
    if (snapshot && !(answer && compactions.countStands(answer))) {
      // A rewind may have removed that event; then little was added since.
      const end = history.positionOf(compactions.lastEventOf(snapshot)) ?? events.length - 1;
      return { tokens: snapshot.tokensAfter, at: end, note: undefined };
    }
    if (!answer) return { tokens: 0, at, note: undefined };
    const { candidatesTokenCount = 0 } = answer.usageMetadata ?? {};
    return { tokens: (countOf(answer) ?? 0) + candidatesTokenCount, at, note: contextNote(answer) };
  }

  private fitted(model: string, contents: Content[], estimated: number, leftOut: number): FittedRequest {
    return { contents, note: { model, estimated, masked: this.masked, leftOut } };
  }

  /** The server's counts of earlier requests to this model, the latest first. */
  private countsOf(model: string): readonly CountedRequest[] {
    const counts: CountedRequest[] = [];
    const { events } = this.parts.history;
    for (let index = events.length - 1; index >= 0 && counts.length < COUNTS_USED; index--) {
      const event = events[index] as Event;
      const counted = countOf(event);
      const note = counted === undefined ? undefined : contextNote(event);
      if (counted !== undefined && note?.model === model) counts.push({ estimated: note.estimated, counted });
    }
    return counts;
  }
}

const NOTHING_MASKED: MaskedSummary = { outputs: 0, tokens: 0 };

/** The server's count for an answer that completed. */
function countOf({ errorCode, usageMetadata }: Event): number | undefined {
  return errorCode === undefined ? usageMetadata?.promptTokenCount : undefined;
}

/** Facts about a request that are stored with its answer. */
const noteSchema = once(() =>
  z.object({
    model: z.string(),
    /** The estimated number of tokens, before the server counted them. */
    estimated: z.number(),
    masked: z.object({ outputs: z.number(), tokens: z.number() }),
    /** The number of omitted pictures, documents and other media. */
    leftOut: z.number(),
  }),
);

export type ContextNote = z.infer<ReturnType<typeof noteSchema>>;

const KEY = 'context';

export function noteMetadata(note: ContextNote): Record<string, unknown> {
  return { [KEY]: note };
}

/** A cache, because every request looks at the notes of several earlier ones. */
const read = new WeakMap<object, ContextNote | undefined>();

/** Undefined for an event that is not an answer, or that another version wrote. */
function contextNote({ customMetadata }: Pick<Event, 'customMetadata'>): ContextNote | undefined {
  const note = customMetadata?.[KEY];
  if (typeof note !== 'object' || note === null) return undefined;
  if (!read.has(note)) read.set(note, noteSchema().safeParse(note).data);
  return read.get(note);
}
