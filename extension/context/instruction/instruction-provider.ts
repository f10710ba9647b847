import type { SessionControls } from '../../ports/tool.ts';
import type { WorkspacePort } from '../../ports/workspace.ts';
import type { SkillSummary } from '../../tools/conversation/activate-skill.ts';
import type { SessionMemory } from '../memory/session-memory.ts';
import { fillInstruction, type InstructionValues, type OwnInstruction } from './own-instruction.ts';
import {
  generalInstruction,
  type InstructionFacts,
  skills as skillsSection,
  systemInstruction,
} from './system-instruction.ts';

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
  /** What the user has written in place of the general sections, brought up to date. */
  readonly own?: () => Promise<OwnInstruction | undefined>;
  /** What can be put into that, besides skills. */
  readonly values?: () => Omit<InstructionValues, 'skills'>;
  /** Sections of other parts, in order; one that returns undefined has nothing to say. */
  readonly further?: readonly (() => string | undefined)[];
}

/** The instruction of one session, asked for at every step: it is put together again only when something in it changed. */
export class InstructionProvider {
  private made: { readonly facts: InstructionFacts; readonly text: string } | undefined;
  private skills: readonly SkillSummary[] = [];
  private own: OwnInstruction | undefined;

  constructor(private readonly parts: InstructionParts) {}

  /** For the next request: looks at what changed on disk. */
  async next(): Promise<string> {
    const { memory, skills, own } = this.parts;
    [, this.skills, this.own] = await Promise.all([memory.refresh(), skills?.() ?? [], own?.()]);
    return this.current();
  }

  /** In the place of the general sections, as of the last request. */
  get inPlace(): OwnInstruction | undefined {
    return this.own;
  }

  /** The sections in whose place a user can put their own. */
  get general(): string {
    return generalInstruction(this.facts());
  }

  /** As of the last request, in the mode of now. */
  current(): string {
    const facts = this.withOwn(this.facts());
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

  /** With the list of skills, which then is not told a second time. */
  private withOwn(facts: InstructionFacts): InstructionFacts {
    if (!this.own) return facts;
    const { agents = [], tools = [] } = this.parts.values?.() ?? {};
    const { text } = this.own;
    const isListed = /\$\{AgentSkills\}/.test(text);
    const own = fillInstruction(text, { skills: skillsSection(facts) ?? '', agents, tools });
    return { ...facts, own, ...(isListed && { skills: NO_SKILLS }) };
  }
}

const NO_SKILLS: readonly SkillSummary[] = [];

function isSame(facts: InstructionFacts, earlier: InstructionFacts): boolean {
  const { roots, further, ...rest } = facts;
  const { roots: rootsBefore, further: furtherBefore, ...restBefore } = earlier;
  const now = [...Object.values(rest), roots.length, ...roots, ...further];
  const before = [...Object.values(restBefore), rootsBefore.length, ...rootsBefore, ...furtherBefore];
  return now.length === before.length && now.every((value, at) => value === before[at]);
}
