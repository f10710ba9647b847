import type { SandboxClause } from '../policy/sandbox-clause.ts';

/** The points in a conversation at which hooks run, named as in Gemini CLI. */
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

/** Why sessions begin and end, and what compacts conversations. Matchers of these events are compared with it. */
export const SESSION_STARTS = ['startup', 'resume', 'clear'] as const;
export const SESSION_ENDS = ['exit', 'clear', 'logout', 'other'] as const;
export const COMPRESSIONS = ['manual', 'auto'] as const;

export const HOOK_TRIGGERS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['SessionStart', SESSION_STARTS],
  ['SessionEnd', SESSION_ENDS],
  ['PreCompress', COMPRESSIONS],
]);

/** Whether matchers of an event are compared with the names of tools. */
export function isEventWithTool(event: string): boolean {
  return event === 'BeforeTool' || event === 'AfterTool';
}

/** The origin of a hook, in the order in which hooks run. */
export type HookSource = 'runtime' | 'project' | 'user' | 'system' | 'extension';

export interface CommandHook {
  readonly type: 'command';
  readonly command: string;
  readonly name?: string;
  readonly timeoutMs?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Applies to hooks of projects. */
  readonly sandbox?: SandboxClause;
  readonly source: Exclude<HookSource, 'runtime'>;
  /** The name of the extension that it belongs to. */
  readonly extension?: string;
  /** The absolute path of the file that defines it. Lines start at 1. */
  readonly file: string;
  readonly line: number;
}

/** A hook in Gantry's own code, which runs in this process. */
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

/** The input that every hook gets. Other fields depend on the event. */
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

/** The result of one hook. */
export interface HookResult {
  readonly hook: Hook;
  /** Whether it succeeded. Only then are its changes passed on to the next hook. */
  readonly success: boolean;
  readonly output?: HookOutput;
  /** Why it gave no valid answer. */
  readonly failure?: HookFailure;
}

export interface HookFailure {
  /** `exit`: it ended with its own error and its output is known. The others gave no answer. */
  readonly kind: 'timeout' | 'not_started' | 'killed' | 'too_much' | 'exit' | 'stopped';
  /** One sentence for the user. */
  readonly text: string;
}

export function hookName(hook: Hook): string {
  return hook.type === 'runtime' ? hook.name : (hook.name ?? hook.command);
}
