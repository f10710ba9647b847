import type { Clock } from '../ports/clock.ts';

export type CallState =
  | 'validating'
  | 'awaiting_approval'
  | 'scheduled'
  | 'executing'
  | 'success'
  | 'error'
  | 'cancelled';

export type EndState = Extract<CallState, 'success' | 'error' | 'cancelled'>;

const END: readonly CallState[] = ['success', 'error', 'cancelled'];

/** Which state may follow which. A call that is over stays so. */
const NEXT: Readonly<Record<CallState, readonly CallState[]>> = {
  validating: ['awaiting_approval', 'scheduled', ...END],
  awaiting_approval: ['validating', 'scheduled', ...END],
  // A rule that allowed it may be gone when its turn comes.
  scheduled: ['awaiting_approval', 'executing', ...END],
  // Back to the start for a call that a hook puts in place of this one.
  executing: ['validating', ...END],
  success: [],
  error: [],
  cancelled: [],
};

interface Tracked {
  state: CallState;
  /** Time in which the body ran; a person's thinking is not the tool's work. */
  worked: number;
  since: number;
}

/** How far each call has come and how long its body took, by call id. */
export class CallStates {
  private readonly calls = new Map<string, Tracked>();

  constructor(private readonly clock: Clock) {}

  begin(id: string): void {
    this.calls.set(id, { state: 'validating', worked: 0, since: this.clock.now() });
  }

  move(id: string, state: CallState): void {
    const call = this.calls.get(id);
    if (!call) throw new Error(`Call ${id} is not known.`);
    if (!NEXT[call.state].includes(state)) throw new Error(`Call ${id} cannot go from ${call.state} to ${state}.`);
    const now = this.clock.now();
    if (call.state === 'executing') call.worked += now - call.since;
    this.calls.set(id, { state, worked: call.worked, since: now });
  }

  stateOf(id: string): CallState | undefined {
    return this.calls.get(id)?.state;
  }

  /** In milliseconds; undefined for a call that never came to run. */
  workedOn(id: string): number | undefined {
    const call = this.calls.get(id);
    return call && call.worked > 0 ? call.worked : undefined;
  }

  forget(): void {
    this.calls.clear();
  }
}
