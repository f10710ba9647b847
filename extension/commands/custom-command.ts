import type { TextRange } from '../text/text-range.ts';
import type { PromptPart } from './prompt-template.ts';

/** A custom command: a prompt for the model, with files, arguments and command output to insert. */
export interface CustomCommand {
  /** The name, such as "git:commit" for `git/commit.toml`. */
  readonly name: string;
  /** One line for the user. */
  readonly description: string;
  readonly source: 'user' | 'project' | 'extension';
  /** The name of the extension that provides it. */
  readonly extension?: string;
  /** An absolute path. */
  readonly file: string;
  readonly prompt: readonly PromptPart[];
}

/** Why a command is missing. */
export interface CommandProblem {
  /** An absolute path. */
  readonly file: string;
  /** Starts at 1. */
  readonly line: number;
  readonly range: TextRange;
  /** For the user. */
  readonly text: string;
}
