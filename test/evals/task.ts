import type { WorkspaceFiles } from '../support/temp-workspace.ts';
import type { Behaviour } from './behaviours.ts';
import type { Result } from './result.ts';
import type { Vary } from './vary.ts';

export type Language = 'TypeScript' | 'Python' | 'Go' | 'Rust' | 'shell' | 'HTML';

export type Kind =
  | 'bug'
  | 'feature'
  | 'refactoring'
  | 'question'
  | 'review'
  | 'flaky test'
  | 'merge conflict'
  | 'large file'
  | 'monorepo'
  | 'misleading file'
  | 'missing tool'
  | 'conduct';

/** 1: one place in one file. 2: several places, or a cause to search for. 3: a cause far from its effect, or several demands. */
export type Level = 1 | 2 | 3;

export interface Task {
  /** The name in reports, recordings and for `--only`. */
  readonly id: string;
  readonly language: Language;
  readonly kind: Kind;
  readonly level: Level;
  /** Programs without which neither the agent nor the check can do anything. */
  readonly needs?: readonly Program[];
  make(vary: Vary): TaskBody;
}

export type Program = 'node' | 'python3' | 'bash' | 'go' | 'rustc';

/** One variant of a task: the repository, the words of the user, and how the result is checked. */
export interface TaskBody {
  readonly files: WorkspaceFiles;
  /** Packages of Gantry's own node_modules that the repository has installed. */
  readonly packages?: readonly string[];
  /** A bash script that runs after the first commit, for branches, conflicts and uncommitted work. */
  readonly prepare?: string;
  /** Each further prompt continues the same session. */
  readonly prompts: readonly [string, ...string[]];
  /** Patterns of the files that a solution changes. New test files are always allowed. */
  readonly mayChange: readonly string[];
  /** The user asked for a commit. */
  readonly mayCommit?: true;
  readonly behaviours?: readonly Behaviour[];
  /** Throws if the task isn't solved. It is not part of the copy that the agent sees. */
  check(result: Result): Promise<void>;
  /** The calls of the scripted agent that solves the task, for each prompt. */
  readonly solution: readonly Script[];
}

/** Whether a path looks like one of a test. */
export function isTest(path: string): boolean {
  return /(^|\/)(tests?|__tests__)\/|[._]test\.|(^|\/)(test_[^/]*|test\.\w+)$/.test(path);
}

export interface ScriptedCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** One answer to one prompt: turns of parallel calls, and the closing words. */
export interface Script {
  readonly turns: readonly (readonly ScriptedCall[])[];
  readonly answer: string;
}

export function read(file_path: string, lines?: readonly [start: number, end: number]): ScriptedCall {
  return { name: 'read_file', args: { file_path, ...(lines && { start_line: lines[0], end_line: lines[1] }) } };
}

export function edit(file_path: string, old_string: string, new_string: string): ScriptedCall {
  return { name: 'replace', args: { file_path, instruction: 'Do what the user asked for.', old_string, new_string } };
}

export function write(file_path: string, content: string): ScriptedCall {
  return { name: 'write_file', args: { file_path, content } };
}

export function run(command: string): ScriptedCall {
  return { name: 'run_shell_command', args: { command } };
}

/** Reads what it is going to change, changes it, runs the commands one by one, and reports. */
export function solve(edits: readonly ScriptedCall[], commands: readonly string[] = [], answer = 'Done.'): Script {
  const paths = edits.filter(({ name }) => name === 'replace').map(({ args }) => String(args['file_path']));
  const reads = [...new Set(paths)].map((path) => read(path));
  const turns = [reads, edits, ...commands.map((command) => [run(command)])];
  return { turns: turns.filter((calls) => calls.length > 0), answer };
}

/** Reads files and answers. */
export function explain(paths: readonly string[], answer: string): Script {
  return { turns: [paths.map((path) => read(path))], answer };
}
