import { createHash } from 'node:crypto';
import { stableText } from '../../text/stable-text.ts';

/** How many repetitions of the same calls count as a loop, and how many calls a cycle may have. */
const REPETITIONS = 5;
const LONGEST_CYCLE = 5;
const KEPT = REPETITIONS * LONGEST_CYCLE;

export interface MadeCall {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The result of a call. */
export interface CallOutcome {
  /** The same text means that nothing has changed since the last call. */
  readonly text: string;
  /** Whether the process or task is still running, so that calling again is a way of waiting. */
  readonly waits: boolean;
}

interface Made {
  readonly id: string;
  readonly key: string;
  /** Undefined until the call is answered. */
  outcome?: string;
  waits?: boolean;
}

/**
 * Detects calls that are repeated without any effect. A call whose result changes does not count as repeated, nor does
 * a call that waits for something.
 */
export class CallCycles {
  private made: Made[] = [];

  /** Whether this call, which is about to be made, completes a cycle. */
  add({ id, name, args }: MadeCall): boolean {
    this.made.push({ id, key: shortOf(`${name}:${stableText(args)}`) });
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
    call.outcome = shortOf(text);
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

/** Short texts are compared as they are, because hashing one takes longer than keeping it. */
const LONGEST_KEPT = 2_000;

function shortOf(text: string): string {
  return text.length <= LONGEST_KEPT ? text : createHash('sha256').update(text).digest('base64');
}
