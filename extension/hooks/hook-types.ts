import type { SandboxClause } from '../policy/sandbox-clause.ts';

/** The points in a conversation at which hooks run, in the names of Gemini CLI. */
export const HOOK_EVENTS = [
  'BeforeTool',
  'AfterTool',
  'BeforeAgent',
  'AfterAgent',
  'BeforeModel',
  'AfterModel',
  'BeforeToolSelection',
  'SessionStart',
  'SessionEnd',
  'Notification',
  'PreCompress',
] as const;

export type HookEvent = (typeof HOOK_EVENTS)[number];

/** Who wrote a hook, in the order in which they run. */
export type HookSource = 'runtime' | 'project' | 'user' | 'system' | 'extension';

export interface CommandHook {
  readonly type: 'command';
  readonly command: string;
  readonly name?: string;
  readonly timeoutMs?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Of a project. */
  readonly sandbox?: SandboxClause;
  readonly source: Exclude<HookSource, 'runtime'>;
  /** The name of the extension that it belongs to. */
  readonly extension?: string;
  /** Where it is defined. Absolute; lines count from 1. */
  readonly file: string;
  readonly line: number;
}

/** A hook that is code of this process, registered by code. */
export interface RuntimeHook {
  readonly type: 'runtime';
  readonly name: string;
  readonly source: 'runtime';
  readonly timeoutMs?: number;
  readonly action: (input: HookInput, signal: AbortSignal) => Promise<unknown>;
}

export type Hook = CommandHook | RuntimeHook;

/** Hooks that share an event and a matcher. */
export interface HookGroup {
  readonly event: HookEvent;
  readonly matcher?: string;
  readonly sequential: boolean;
  readonly hooks: readonly Hook[];
}

/** What every hook is told; the rest depends on the event. */
export interface HookInput {
  readonly session_id: string;
  readonly transcript_path: string;
  readonly cwd: string;
  readonly hook_event_name: HookEvent;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly [field: string]: unknown;
}

/** The parsed answer of a hook. */
export interface HookOutput {
  readonly continue?: boolean | undefined;
  readonly stopReason?: string | undefined;
  readonly suppressOutput?: boolean | undefined;
  readonly systemMessage?: string | undefined;
  readonly decision?: HookDecision | undefined;
  readonly reason?: string | undefined;
  readonly hookSpecificOutput?: Readonly<Record<string, unknown>> | undefined;
}

export type HookDecision = 'ask' | 'block' | 'deny' | 'approve' | 'allow';

/** How one hook ended. */
export interface HookResult {
  readonly hook: Hook;
  /** It ended well: only then is what it changed passed on to the next one. */
  readonly success: boolean;
  readonly output?: HookOutput;
  /** Why it gave no valid answer. */
  readonly failure?: HookFailure;
}

export interface HookFailure {
  /** `exit`: it ended with its own error and its output is known. The others gave no answer. */
  readonly kind: 'timeout' | 'not_started' | 'killed' | 'too_much' | 'exit' | 'stopped';
  /** One sentence for people. */
  readonly text: string;
}

export function hookName(hook: Hook): string {
  return hook.type === 'runtime' ? hook.name : (hook.name ?? hook.command);
}
