import { setTimeout as sleep } from 'node:timers/promises';
import type { Host } from '../../ports/host.ts';
import type { AnswerChunk } from '../content-generator.ts';
import { CallRun, type CallRunParts, type Send } from './call-run.ts';
import { Fallback } from './fallback.ts';
import type { CallEvent, ModelCall } from './model-call.ts';

export type ModelCallsParts = Omit<CallRunParts, 'fallback' | 'instead'>;

export interface WholeAnswer {
  readonly answer: AnswerChunk;
  /** The one that gave it. */
  readonly model: string;
}

/**
 * The one way to ask a model: chooses it among those that answer, waits and tries again where that can help, and goes to
 * another one where it cannot. An abort rejects with the signal's reason, everything else with what the last attempt
 * failed with.
 */
export class ModelCalls {
  private readonly parts: CallRunParts;

  constructor(parts: ModelCallsParts) {
    this.parts = { ...parts, fallback: new Fallback(parts.health), instead: new Map() };
  }

  /** An answer piece by piece, with all that happens on the way to it. */
  stream(call: ModelCall, signal: AbortSignal): AsyncGenerator<CallEvent, void, undefined> {
    return new CallRun(this.parts, call, PIECES, signal).events();
  }

  /** A whole answer. `seen` is told what happens on the way to it; what it throws ends the call. */
  async ask(
    call: ModelCall,
    signal: AbortSignal,
    seen: (event: CallEvent) => void = () => undefined,
  ): Promise<WholeAnswer> {
    let answer: AnswerChunk = {};
    let model = '';
    for await (const event of new CallRun(this.parts, call, WHOLE, signal).events()) {
      seen(event);
      if (event.type === 'chunk') answer = event.chunk;
      if (event.type === 'done') model = event.model;
    }
    return { answer, model };
  }
}

const PIECES: Send = ({ generator }, request, signal) => generator.generateContentStream(request, signal);

const WHOLE: Send = async function* ({ generator }, request, signal) {
  yield await generator.generateContent(request, signal);
};

type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

/** How a host waits between attempts. What was recorded is not waited for: nobody needs a rest from the next line of a file. */
export function pauseOf({ clock, recorded }: Pick<Host, 'clock' | 'recorded'>): Pause {
  if (recorded?.replay !== undefined) return () => Promise.resolve();
  return (ms, signal) => clock.pause?.(ms, signal) ?? realPause(ms, signal);
}

/** Real time. Resolves when it is over or the signal fires. */
export async function realPause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
