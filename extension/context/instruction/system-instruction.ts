import type { InstructionFacts, Section } from './facts.ts';
import { hooks, mandates, scope } from './mandates.ts';
import { memory } from './memory-section.ts';
import { quotedMemory } from './quoted-memory.ts';
import { place, restricted, role } from './role.ts';
import { skills } from './skills-section.ts';
import { approvedPlan, git, planning, working, yolo } from './workflow.ts';

/** What is the same for long comes first: the service keeps the beginning of a request that it knows. */
const GENERAL: readonly Section[] = [role, mandates, scope, working, git, hooks];

/** What depends on the folder, the mode and the user. */
const PARTICULAR: readonly Section[] = [
  place,
  restricted,
  ({ further }) => further.join('\n\n') || undefined,
  skills,
  planning,
  yolo,
  approvedPlan,
  memory,
  quotedMemory,
];

/** What the model is told before the conversation. */
export function systemInstruction(facts: InstructionFacts): string {
  const { own } = facts;
  return [own ?? generalInstruction(facts), ...PARTICULAR.flatMap((section) => section(facts) ?? [])].join('\n\n');
}

/** The part in whose place a user can put their own. */
export function generalInstruction(facts: InstructionFacts): string {
  return GENERAL.flatMap((section) => section(facts) ?? []).join('\n\n');
}
