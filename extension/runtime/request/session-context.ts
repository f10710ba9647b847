import type { Event } from '@google/adk';
import type { Content, GenerateContentConfig, Part } from '@google/genai';
import { z } from 'zod';
import { checkMessageFits, contextFull } from '../../context/context-problems.ts';
import { withoutOldMedia } from '../../context/old-media.ts';
import { COUNTS_USED, type CountedRequest, correctedTokens, correctionOf } from '../../context/token-correction.ts';
import { configTokens, estimateTokens } from '../../context/token-estimate.ts';
import { mediaRuleOf } from '../../context/tokens/media-tokens.ts';
import type { PanelState } from '../../protocol/panel/panel-messages.ts';
import type { SessionHistory } from '../../sessions/session-history.ts';
import type { MaskedSummary } from './masking-processor.ts';

export interface FittedRequest {
  readonly contents: Content[];
  /** To be written down with the answer. */
  readonly note: ContextNote;
}

export interface SessionContextParts {
  /** What was said, and what of it is sent in another form. */
  readonly history: Pick<SessionHistory, 'events' | 'compactions' | 'positionOf'>;
  /** The model that was asked last, or would be. */
  readonly model: () => string;
  readonly windowOf: (model: string) => number;
}

/** How much was in use, and up to which event. */
interface Known {
  readonly tokens: number;
  readonly at: number;
  readonly note: ContextNote | undefined;
}

/** Once pictures have to go, so many go that the next requests have room. */
const ROOM_FOR_NEXT = 0.8;
/** An estimate that no count has corrected yet may be wrong by so much: then the server decides. */
const UNCERTAINTY = 1.15;

/** How much of the model's window one session uses, as the server counts and as far as that is known. */
export class SessionContext {
  /** Of the request of this moment. */
  masked: MaskedSummary = NOTHING_MASKED;

  constructor(private readonly parts: SessionContextParts) {}

  /** What is sent to this model. Throws a `ProblemError` when it cannot fit. */
  fit(model: string, contents: readonly Content[], config: GenerateContentConfig | undefined): FittedRequest {
    const window = this.parts.windowOf(model);
    const counts = this.countsOf(model);
    const overhead = configTokens(config);
    const estimated = estimateTokens(contents, model) + overhead;
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

  /** Throws a `ProblemError` when a message is too long by itself. */
  checkMessage(parts: readonly Part[]): void {
    const model = this.parts.model();
    checkMessageFits(parts, this.parts.windowOf(model), model);
  }

  /** The last count, and an estimate of what came after it. Follows from the log, so it is the same after a restart. */
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

  /** What the last request that was counted omitted. */
  shortened(): { readonly masked: number; readonly leftOut: number } {
    const { note } = this.lastKnown();
    return { masked: note?.masked.tokens ?? 0, leftOut: note?.leftOut ?? 0 };
  }

  tokensLeft(): number {
    const { used, window } = this.use();
    return window - used;
  }

  /** What the server counted last; since a snapshot took the place of what it counted, what that was estimated to leave. */
  private lastKnown(): Known {
    const { history } = this.parts;
    const { events, compactions } = history;
    const at = events.findLastIndex((event) => countOf(event) !== undefined);
    const answer = events[at];
    const snapshot = compactions.inForce;
    if (snapshot && !(answer && compactions.countStands(answer))) {
      // A rewind may have taken that event away; what was said since is little then.
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

  /** What the server counted of earlier requests to this model, the latest first. */
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

/** Of an answer that came to its end. */
function countOf({ errorCode, usageMetadata }: Event): number | undefined {
  return errorCode === undefined ? usageMetadata?.promptTokenCount : undefined;
}

/** What is written down with an answer about the request it was given to. */
const noteSchema = z.object({
  model: z.string(),
  /** Tokens, before the server counted them. */
  estimated: z.number(),
  masked: z.object({ outputs: z.number(), tokens: z.number() }),
  /** How many pictures, documents and so on were omitted. */
  leftOut: z.number(),
});

export type ContextNote = z.infer<typeof noteSchema>;

const KEY = 'context';

export function noteMetadata(note: ContextNote): Record<string, unknown> {
  return { [KEY]: note };
}

/** Undefined for an event that is no answer, or was written by another version. */
function contextNote({ customMetadata }: Pick<Event, 'customMetadata'>): ContextNote | undefined {
  const note = customMetadata?.[KEY];
  return note === undefined ? undefined : noteSchema.safeParse(note).data;
}
