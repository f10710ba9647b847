import type { PromptPart } from './prompt-template.ts';

/** A command that somebody wrote down: words for the model, with what is put into them. */
export interface CustomCommand {
  /** Such as "git:commit" for `git/commit.toml`. */
  readonly name: string;
  /** For people, in one line. */
  readonly description: string;
  readonly source: 'user' | 'project' | 'extension';
  /** The name of the extension that brings it along. */
  readonly extension?: string;
  /** Absolute. */
  readonly file: string;
  readonly prompt: readonly PromptPart[];
}

/** Why a command is not there. */
export interface CommandProblem {
  /** Absolute. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** For people. */
  readonly text: string;
}
