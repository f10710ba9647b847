import type { ApprovalMode } from '../../protocol/agent/approval-mode.ts';
import type { SkillSummary } from '../../tools/conversation/activate-skill.ts';
import type { LoadedMemory } from '../memory/loaded-memory.ts';

/** All that the instruction depends on: the same facts make the same text. */
export interface InstructionFacts {
  readonly roots: readonly string[];
  readonly isTrusted: boolean;
  readonly mode: ApprovalMode;
  readonly plansFolder: string | undefined;
  /** Whether somebody is there to answer. */
  readonly isInteractive: boolean;
  /** The plan that the user approved last. */
  readonly approvedPlan: string | undefined;
  readonly hasHooks: boolean;
  readonly skills: readonly SkillSummary[];
  readonly memory: readonly LoadedMemory[];
  /** What the user has written in place of the general sections, with its variables filled in. */
  readonly own?: string | undefined;
  /** What other parts have to say, such as the list of agents: whole sections. */
  readonly further: readonly string[];
}

/** A part of the instruction; undefined where it does not apply. */
export type Section = (facts: InstructionFacts) => string | undefined;

/** Whether it may change anything now. */
export function worksNow({ isTrusted, mode }: InstructionFacts): boolean {
  return isTrusted && mode !== 'plan';
}
