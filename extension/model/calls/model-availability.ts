import type { ModelHealth } from '../model-key.ts';

/** A lack of capacity ends by itself; a used-up quota does not. */
const CAPACITY_TTL_MS = 30_000;

type State =
  | { readonly status: 'terminal'; readonly reason: 'quota' | 'capacity'; readonly since: number }
  /** The model gets one more chance in each turn; `consumed` means that it was used. */
  | { readonly status: 'sticky'; readonly consumed: boolean; readonly attempts: number };

export type Unavailability = 'quota' | 'capacity' | 'retry_once_per_turn';

export interface Selection {
  readonly selected: string | undefined;
  /** The number of attempts for a model that failed temporarily before. */
  readonly attempts?: number;
  readonly skipped: readonly { readonly model: string; readonly reason: Unavailability }[];
}

/** Tracks which models answer, based on their last responses. Models without a record are healthy. */
export class ModelAvailability implements ModelHealth {
  private readonly states = new Map<string, State>();

  constructor(private readonly now: () => number) {}

  isAvailable(model: string): boolean {
    return this.unavailability(model) === undefined;
  }

  unavailability(model: string): Unavailability | undefined {
    const state = this.stateOf(model);
    if (state?.status === 'terminal') return state.reason;
    return state?.consumed ? 'retry_once_per_turn' : undefined;
  }

  selectFirstAvailable(models: readonly string[]): Selection {
    const skipped: { model: string; reason: Unavailability }[] = [];
    for (const model of models) {
      const reason = this.unavailability(model);
      if (reason === undefined) {
        const state = this.stateOf(model);
        return { selected: model, skipped, ...(state?.status === 'sticky' && { attempts: state.attempts }) };
      }
      skipped.push({ model, reason });
    }
    return { selected: undefined, skipped };
  }

  markTerminal(model: string, reason: 'quota' | 'capacity'): void {
    this.states.set(keyOf(model), { status: 'terminal', reason, since: this.now() });
  }

  markHealthy(model: string): void {
    this.states.delete(keyOf(model));
  }

  /** Does not replace a terminal failure, and does not restore a chance that was used in this turn. */
  markRetryOncePerTurn(model: string, attempts = 1): void {
    const state = this.stateOf(model);
    if (state?.status === 'terminal') return;
    this.states.set(keyOf(model), { status: 'sticky', consumed: state?.consumed ?? false, attempts });
  }

  consumeStickyAttempt(model: string): void {
    const state = this.stateOf(model);
    if (state?.status === 'sticky') this.states.set(keyOf(model), { ...state, consumed: true });
  }

  /** Called for a new message of the user: models that failed temporarily get another chance. */
  resetTurn(): void {
    for (const [model, state] of this.states) {
      if (state.status === 'sticky') this.states.set(model, { ...state, consumed: false });
    }
  }

  reset(): void {
    this.states.clear();
  }

  private stateOf(model: string): State | undefined {
    const key = keyOf(model);
    const state = this.states.get(key);
    const isOver =
      state?.status === 'terminal' && state.reason === 'capacity' && this.now() - state.since >= CAPACITY_TTL_MS;
    if (isOver) this.states.delete(key);
    return isOver ? undefined : state;
  }
}

/** Gemini's own lists write ids as `models/gemini-…`. */
function keyOf(model: string): string {
  return model.replace(/^models\//, '');
}
