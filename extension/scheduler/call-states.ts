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

/** The allowed transitions. A finished call never changes. */
const NEXT: Readonly<Record<CallState, readonly CallState[]>> = {
  validating: ['awaiting_approval', 'scheduled', ...END],
  awaiting_approval: ['validating', 'scheduled', ...END],
  // The rule that allowed the call may no longer exist by then.
  scheduled: ['awaiting_approval', 'executing', ...END],
  // A hook can replace a call, and the replacement starts again.
  executing: ['validating', ...END],
  success: [],
  error: [],
  cancelled: [],
};

interface Tracked {
  state: CallState;
  /** The time that the tool ran, without waiting for approval. */
  worked: number;
  since: number;
}

/** The state and duration of each call, by ID. */
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

  /** Milliseconds. Undefined for a call that never ran. */
  workedOn(id: string): number | undefined {
    const call = this.calls.get(id);
    return call && call.worked > 0 ? call.worked : undefined;
  }

  /** The calls whose tools run. */
  get executing(): readonly string[] {
    return [...this.calls].flatMap(([id, { state }]) => (state === 'executing' ? [id] : []));
  }

  forget(): void {
    this.calls.clear();
  }
}
