import { createHash } from 'node:crypto';
import { stableText } from '../../text/stable-text.ts';

/** How often the same calls in the same order are a loop, and how many calls such a cycle may have. */
const REPETITIONS = 5;
const LONGEST_CYCLE = 5;
const KEPT = REPETITIONS * LONGEST_CYCLE;

export interface MadeCall {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What came of a call. */
export interface CallOutcome {
  /** The same text means that nothing has changed since. */
  readonly text: string;
  /** What it was asked about still continues, so that asking again is waiting. */
  readonly waits: boolean;
}

interface Made {
  readonly id: string;
  readonly key: string;
  /** Undefined until it is answered. */
  outcome?: string;
  waits?: boolean;
}

/**
 * Finds calls that are made again and again without anything coming of it. A call whose result changes is no repetition,
 * and neither is one that waits for something.
 */
export class CallCycles {
  private made: Made[] = [];

  /** Whether this call, about to be made, closes a cycle. */
  add({ id, name, args }: MadeCall): boolean {
    this.made.push({ id, key: digest(`${name}:${stableText(args)}`) });
    if (this.made.length > KEPT) this.made.shift();
    for (let length = 1; length <= LONGEST_CYCLE; length++) {
      const last = this.made.slice(-length * REPETITIONS);
      if (last.length === length * REPETITIONS && isCycle(last, length)) return true;
    }
    return false;
  }

  finished(id: string, { text, waits }: CallOutcome): void {
    const call = this.made.find((made) => made.id === id);
    if (!call) return;
    call.outcome = digest(text);
    call.waits = waits;
  }

  clear(): void {
    this.made = [];
  }
}

function isCycle(calls: readonly Made[], length: number): boolean {
  for (let place = 0; place < length; place++) {
    const same = calls.filter((_, at) => at % length === place);
    if (same.some(({ key }) => key !== same[0]?.key)) return false;
    const outcomes = same.flatMap(({ outcome }) => outcome ?? []);
    if (new Set(outcomes).size > 1) return false;
    if (same.findLast(({ waits }) => waits !== undefined)?.waits) return false;
  }
  return true;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
