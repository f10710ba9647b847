/** What a call does, whatever its tool is called: agents name their tools differently. */
export type Role = 'read' | 'search' | 'edit' | 'shell' | 'ask' | 'other';

export interface ToolUse {
  readonly name: string;
  readonly role: Role;
  readonly args: Readonly<Record<string, unknown>>;
  /** The number of the prompt that the call belongs to, from 0. */
  readonly prompt: number;
  /** The kind of its error; undefined if it succeeded. */
  readonly error?: string;
  /** A rule, a hook or a person refused it. */
  readonly rejected: boolean;
}

export interface Tokens {
  readonly input: number;
  readonly output: number;
  /** The part of `input` that came from a cache. */
  readonly cached: number;
}

/** What an agent did for all prompts of a task. */
export interface Transcript {
  readonly model: string;
  readonly calls: readonly ToolUse[];
  /** The closing words for each prompt. */
  readonly answers: readonly string[];
  /** Answers of the model, those of subagents included. */
  readonly steps: number;
  readonly tokens: Tokens;
  /** Why the agent ended early; undefined if it ended by itself. */
  readonly problem?: string;
}

const ROLES: Readonly<Record<string, Role>> = {
  read_file: 'read',
  read_many_files: 'read',
  read: 'read',
  grep_search: 'search',
  search_file_content: 'search',
  glob: 'search',
  list_directory: 'search',
  grep: 'search',
  find: 'search',
  ls: 'search',
  replace: 'edit',
  write_file: 'edit',
  rename_symbol: 'edit',
  edit: 'edit',
  write: 'edit',
  run_shell_command: 'shell',
  bash: 'shell',
  ask_user: 'ask',
};

export function roleOf(tool: string): Role {
  return ROLES[tool] ?? 'other';
}

/** The file that a call names. */
export function pathOf({ args }: Pick<ToolUse, 'args'>): string | undefined {
  const path = args['file_path'] ?? args['absolute_path'] ?? args['path'];
  return typeof path === 'string' ? path : undefined;
}

export function commandOf({ args }: Pick<ToolUse, 'args'>): string {
  return typeof args['command'] === 'string' ? args['command'] : '';
}

/** Calls that repeat an earlier one with the same arguments, although nothing was edited or run in between. */
export function repeatedCalls(calls: readonly ToolUse[]): number {
  let seen = new Set<string>();
  let repeated = 0;
  for (const { name, args, role } of calls) {
    const key = JSON.stringify([name, args]);
    if (seen.has(key)) repeated++;
    // After an edit or a command, looking again is reasonable; the same edit or command again is not.
    else if (role === 'edit' || role === 'shell') seen = new Set();
    seen.add(key);
  }
  return repeated;
}

export const NO_TOKENS: Tokens = { input: 0, output: 0, cached: 0 };

export function addTokens(a: Tokens, b: Tokens): Tokens {
  return { input: a.input + b.input, output: a.output + b.output, cached: a.cached + b.cached };
}

/** Appends what the agent did for the next prompt. */
export function joined(earlier: Transcript | undefined, later: Transcript): Transcript {
  if (!earlier) return later;
  const problem = earlier.problem ?? later.problem;
  const prompt = earlier.answers.length;
  return {
    model: later.model || earlier.model,
    calls: [...earlier.calls, ...later.calls.map((call) => ({ ...call, prompt }))],
    answers: [...earlier.answers, ...later.answers],
    steps: earlier.steps + later.steps,
    tokens: addTokens(earlier.tokens, later.tokens),
    ...(problem !== undefined && { problem }),
  };
}
