import { DiskView, type DiskViewOptions } from '../../files/disk-view.ts';
import type { SessionControls } from '../../ports/tool.ts';
import type { WorkspacePort } from '../../ports/workspace.ts';
import type { SkillSummary } from '../../tools/conversation/activate-skill.ts';
import type { SessionMemory } from '../memory/session-memory.ts';
import { instructionVariant } from './general-sections.ts';
import { fillInstruction, type InstructionValues, type OwnInstruction } from './own-instruction.ts';
import {
  generalInstruction,
  type InstructionFacts,
  skills as skillsSection,
  systemInstruction,
} from './system-instruction.ts';

export interface InstructionParts {
  /** The workspace, with the trust that applies to the run. */
  readonly workspace: () => WorkspacePort;
  readonly session: Pick<SessionControls, 'mode' | 'plansFolder'>;
  readonly isInteractive: boolean;
  readonly approvedPlan: () => string | undefined;
  readonly hasHooks: () => boolean;
  /** The names of the tools that are offered now. The same array as long as nothing has changed. */
  readonly tools: () => readonly string[];
  /** The model that the user chose. */
  readonly model: () => string;
  readonly memory: SessionMemory;
  readonly disk?: DiskViewOptions;
  /** Refreshes the settings. */
  readonly settings?: (view: DiskView) => Promise<unknown>;
  /** Refreshes and returns the skills. */
  readonly skills?: (view: DiskView) => Promise<readonly SkillSummary[]>;
  /** Refreshes and returns the user's own text that replaces the general sections. */
  readonly own?: (view: DiskView) => Promise<OwnInstruction | undefined>;
  /** The agents for the variables of that text. */
  readonly agents?: () => InstructionValues['agents'];
  /** Additional sections in order; undefined means that a section does not apply. */
  readonly further?: readonly (() => string | undefined)[];
}

/** The instruction of one session, requested at every step. It is rebuilt only when something in it changed. */
export class InstructionProvider {
  private made: { readonly facts: InstructionFacts; readonly text: string } | undefined;
  private skills = NO_SKILLS;
  private own: OwnInstruction | undefined;

  constructor(private readonly parts: InstructionParts) {}

  /** The instruction for the next request. Checks once for changes on disk, of everything that is in force in a step. */
  async next(): Promise<string> {
    const { disk, settings, memory, skills, own } = this.parts;
    const view = new DiskView(disk);
    [this.skills, this.own] = await Promise.all([
      skills?.(view) ?? NO_SKILLS,
      own?.(view),
      memory.refresh(view),
      settings?.(view),
    ]);
    return this.current();
  }

  /** The text that replaces the general sections, as of the last request. */
  get inPlace(): OwnInstruction | undefined {
    return this.own;
  }

  /** The sections that a user can replace. */
  get general(): string {
    return generalInstruction(this.facts());
  }

  /** The instruction as of the last request, for the current mode. */
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
      tools: this.parts.tools(),
      variant: instructionVariant(this.parts.model()),
      skills: this.skills,
      memory: memory.lasting(),
      further: further.flatMap((section) => section() ?? []),
    };
  }

  /** Fills in the user's own text. If it lists the skills, they are not listed again. */
  private withOwn(facts: InstructionFacts): InstructionFacts {
    if (!this.own) return facts;
    const agents = this.parts.agents?.() ?? [];
    const { tools } = facts;
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
