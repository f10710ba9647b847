import type { SkillSummary } from '../tools/conversation/activate-skill.ts';

/** A skill as its file has it. */
export interface Skill extends SkillSummary {
  /** Whose it is: what comes with a project or an extension requires approval before it is followed. */
  readonly source: 'user' | 'project' | 'extension';
  /** Absolute: its `SKILL.md`. */
  readonly file: string;
  readonly instructions: string;
  /** Stands for its name, description and instructions. */
  readonly hash: string;
  /** Whether the folder is the skill's alone, so that what is in it belongs to the skill. */
  readonly ownsFolder: boolean;
}

/** Why a skill is not there, or not as it was meant. */
export interface SkillProblem {
  /** Absolute. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** For people. */
  readonly text: string;
}
