import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Session } from '@google/adk';
import type { Part } from '@google/genai';
import type { HookCatalog } from '../../hooks/hook-catalog.ts';
import type { HookedCall } from '../../hooks/hook-input.ts';
import { type HookObserver, HookSystem, type HookText } from '../../hooks/hook-system.ts';
import type { Host } from '../../ports/host.ts';
import type { Tool, ToolResult } from '../../ports/tool.ts';
import type { Problem } from '../../protocol/agent/problem.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { NO_HOOKS, type ToolHooks } from '../../scheduler/review-ports.ts';
import type { ToolCall } from '../../scheduler/tool-call.ts';
import type { FileSessionService } from '../../sessions/file-session-service.ts';
import type { SessionJournal } from '../../sessions/session-journal.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import type { RunEnd } from '../events/stoppable-run.ts';
import { blockedByHook, hookFailed } from '../problems/session-problems.ts';
import { childEnvironment, hookConfinement } from '../programs/project-programs.ts';
import { HookBridgePlugin } from './hook-bridge-plugin.ts';
import { RunHooks } from './run-hooks.ts';

/** The hooks of a session, by the place where they run. */
export interface SessionHooks {
  /** Around a run, and at the beginning and end of the session. */
  readonly run: RunHooks;
  /** Around a model request. */
  readonly plugin: HookBridgePlugin;
  /** Around a tool call. */
  readonly tools: ToolHooks;
  /** Before the conversation is compressed. */
  readonly preCompress: HookSystem['preCompress'];
}

export interface SessionHooksParts {
  readonly host: Host;
  readonly sandbox: Sandbox;
  readonly hooks: HookCatalog;
  readonly plansFolder: string | undefined;
  readonly journal: SessionJournal;
  readonly session: Session;
  readonly sessions: FileSessionService;
  readonly warn: (problem: Problem) => void;
  /** The model of the next request. */
  readonly model: () => string;
  /** Ends the current run. */
  readonly end: (end: RunEnd) => void;
  readonly telemetry: Pick<Telemetry, 'see'>;
}

export function createSessionHooks(parts: SessionHooksParts): SessionHooks {
  const { host, hooks: catalog, journal, session, sessions, warn } = parts;
  const { folder: kept } = host.sessions;
  const about = {
    sessionId: journal.id,
    transcriptPath: kept === undefined ? '' : join(kept, journal.id, 'log.jsonl'),
    folder: host.workspace.roots()[0] ?? homedir(),
    plansFolder: parts.plansFolder ?? '',
    get environment() {
      return childEnvironment(host);
    },
    now: () => host.clock.now(),
    confine: hookConfinement(host, parts.sandbox),
  };
  const hooks = new HookSystem(catalog, about, observerOf(journal, warn, parts.telemetry));
  const effects = {
    model: parts.model,
    end: parts.end,
    blocked: (reason: string) => journal.append({ type: 'problem', problem: blockedByHook(reason), fatal: false }),
    say: (words: Part[]) => journal.append({ type: 'delta', parts: words }),
  };
  return {
    run: new RunHooks({ catalog, hooks, journal, session, sessions, warn, log: host.log }),
    plugin: new HookBridgePlugin(hooks, effects, host.log),
    tools: toolHooksOf(hooks),
    preCompress: (trigger, signal) => hooks.preCompress(trigger, signal),
  };
}

function observerOf(
  journal: SessionJournal,
  warn: (problem: Problem) => void,
  telemetry: Pick<Telemetry, 'see'>,
): HookObserver {
  const record =
    (kind: 'context' | 'message') =>
    ({ event, hook, text }: HookText): void => {
      // The last hooks of a session run after its log is closed.
      if (!journal.isClosed) journal.append({ type: 'hook', event, hook, text, kind });
    };
  return {
    onContext: record('context'),
    onMessage: record('message'),
    onFailure: (text) => warn(hookFailed(text)),
    onFired: (fired) => telemetry.see(journal.id, { kind: 'hooks', ...fired }),
  };
}

/** Adapts the hooks to the scheduler's interface. */
function toolHooksOf(hooks: HookSystem): ToolHooks {
  return {
    before: (call, tool, signal) =>
      hooks.has('BeforeTool') ? hooks.beforeTool(hooked(call, tool), signal) : NO_HOOKS.before(call, tool, signal),
    asking: ({ name, args }, message, signal) => hooks.notification(message, { name, args }, signal),
    after: (call, tool, result, signal) =>
      hooks.has('AfterTool')
        ? hooks.afterTool(hooked(call, tool), responseOf(result), signal)
        : NO_HOOKS.after(call, tool, result, signal),
  };
}

function hooked({ name, args }: ToolCall, { server }: Tool): HookedCall {
  return { name, args, ...(server !== undefined && { server }) };
}

function responseOf({ content, display, error }: ToolResult): {
  llmContent: unknown;
  returnDisplay: unknown;
  error?: unknown;
} {
  const shown = display?.result?.type === 'text' ? display.result.text : (display?.result ?? display?.resultSummary);
  return { llmContent: content, returnDisplay: shown ?? '', ...(error && { error }) };
}
