import { CURRENT, GENERATION_2_5, type Generation } from '../catalog/model-names.ts';
import type { FailureClass } from './failure-class.ts';

/** What a failure means for the availability of the model. */
export type FailureKind = 'terminal' | 'transient' | 'not_found' | 'unknown';

/** The policy for one model of a chain. */
export interface ModelPolicy {
  readonly model: string;
  /** Used if no model of the chain is available. */
  readonly isLastResort: boolean;
  readonly maxAttempts?: number;
  /** Whether the user is asked before this model takes over. */
  readonly actions: Readonly<Record<FailureKind, 'silent' | 'prompt'>>;
  /** The state of this model after it fails. */
  readonly transitions: Readonly<Record<FailureKind, 'terminal' | 'sticky_retry'>>;
}

export interface ChainOptions {
  /** Whether Gantry chooses the model. */
  readonly auto?: boolean;
  /** Switches without asking the user. */
  readonly silent?: boolean;
  /** Whether no other model may answer. */
  readonly alone?: boolean;
}

const ASKS: ModelPolicy['actions'] = {
  terminal: 'prompt',
  transient: 'prompt',
  not_found: 'prompt',
  unknown: 'prompt',
};
const SILENT: ModelPolicy['actions'] = {
  terminal: 'silent',
  transient: 'silent',
  not_found: 'silent',
  unknown: 'silent',
};
const GIVES_UP: ModelPolicy['transitions'] = {
  terminal: 'terminal',
  transient: 'terminal',
  not_found: 'terminal',
  unknown: 'terminal',
};

/** The chain of this model: the model itself, followed by its replacements. */
export function chainFor(model: string): readonly string[] {
  return policyChain(model).map((policy) => policy.model);
}

/** A model that is in no chain gets no replacement: a user who names it wants that model. */
export function policyChain(
  named: string,
  { auto = false, silent = false, alone = false }: ChainOptions = {},
): readonly ModelPolicy[] {
  const model = named.replace(/^models\//, '');
  const members = alone ? [] : membersFor(model, auto);
  const at = members.findIndex((policy) => policy.model === model);
  const chain = at < 0 ? [policyOf(model, { isLastResort: true })] : [...members.slice(at), ...members.slice(0, at)];
  return silent ? chain.map((policy) => ({ ...policy, actions: SILENT })) : chain;
}

function membersFor(model: string, auto: boolean): readonly ModelPolicy[] {
  if (model === CURRENT.lite) return liteChain();
  return mainChain(model === GENERATION_2_5.pro || model === GENERATION_2_5.flash ? GENERATION_2_5 : CURRENT, auto);
}

function mainChain({ pro, flash }: Generation, auto: boolean): readonly ModelPolicy[] {
  // If Gantry chooses the model, a busy model is replaced without asking and gets another chance in the next turn.
  const busy: Partial<ModelPolicy> = {
    maxAttempts: 3,
    actions: { ...ASKS, transient: 'silent' },
    transitions: { ...GIVES_UP, transient: 'sticky_retry' },
  };
  return [policyOf(pro, auto ? busy : {}), policyOf(flash, { isLastResort: true, maxAttempts: 10 })];
}

/** For small tasks, which switch without asking the user. */
function liteChain(): readonly ModelPolicy[] {
  return [
    policyOf(CURRENT.lite, { actions: SILENT }),
    policyOf(CURRENT.flash, { actions: SILENT }),
    policyOf(CURRENT.pro, { actions: SILENT, isLastResort: true }),
  ];
}

function policyOf(model: string, more: Partial<ModelPolicy>): ModelPolicy {
  return { model, isLastResort: false, actions: ASKS, transitions: GIVES_UP, ...more };
}

export function kindOf({ kind }: FailureClass): FailureKind {
  switch (kind) {
    case 'terminal':
      return 'terminal';
    case 'retryable':
      return 'transient';
    case 'not-found':
      return 'not_found';
    default:
      return 'unknown';
  }
}
