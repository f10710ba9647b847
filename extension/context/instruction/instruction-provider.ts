import type { WorkspacePort } from '../../runtime/host.ts';
import type { SkillSummary } from '../../tools/conversation/activate-skill.ts';
import type { SessionControls } from '../../tools/tool.ts';
import type { SessionMemory } from '../memory/session-memory.ts';
import type { InstructionFacts } from './facts.ts';
import { systemInstruction } from './system-instruction.ts';

export interface InstructionParts {
  /** With the trust that counts for the run. */
  readonly workspace: () => WorkspacePort;
  readonly session: Pick<SessionControls, 'mode' | 'plansFolder'>;
  readonly isInteractive: boolean;
  readonly approvedPlan: () => string | undefined;
  readonly hasHooks: () => boolean;
  readonly memory: SessionMemory;
  /** Brings the skills up to date. */
  readonly skills?: () => Promise<readonly SkillSummary[]>;
  /** Sections of other parts, in order; one that returns undefined has nothing to say. */
  readonly further?: readonly (() => string | undefined)[];
}

/** The instruction of one session, asked for at every step: it is put together anew only when something in it changed. */
export class InstructionProvider {
  private made: { readonly facts: InstructionFacts; readonly text: string } | undefined;
  private skills: readonly SkillSummary[] = [];

  constructor(private readonly parts: InstructionParts) {}

  /** For the next request: looks at what changed on disk. */
  async next(): Promise<string> {
    const { memory, skills } = this.parts;
    [, this.skills] = await Promise.all([memory.refresh(), skills?.() ?? []]);
    return this.current();
  }

  /** As of the last request, in the mode of now. */
  current(): string {
    const facts = this.facts();
    if (!this.made || !isSame(facts, this.made.facts)) this.made = { facts, text: systemInstruction(facts) };
    return this.made.text;
  }

  private facts(): InstructionFacts {
    const { session, isInteractive, memory, further = [] } = this.parts;
    const workspace = this.parts.workspace();
    return {
      roots: workspace.roots(),
      isTrusted: workspace.isTrusted(),
      mode: session.mode(),
      plansFolder: session.plansFolder,
      isInteractive,
      approvedPlan: this.parts.approvedPlan(),
      hasHooks: this.parts.hasHooks(),
      skills: this.skills,
      memory: memory.loaded(),
      further: further.flatMap((section) => section() ?? []),
    };
  }
}

function isSame(facts: InstructionFacts, earlier: InstructionFacts): boolean {
  const { roots, further, ...rest } = facts;
  const { roots: rootsBefore, further: furtherBefore, ...restBefore } = earlier;
  const now = [...Object.values(rest), roots.length, ...roots, ...further];
  const before = [...Object.values(restBefore), rootsBefore.length, ...rootsBefore, ...furtherBefore];
  return now.length === before.length && now.every((value, at) => value === before[at]);
}
