import type { HookedCall } from '../../hooks/hook-input.ts';
import type { HookSystem } from '../../hooks/hook-system.ts';
import type { Tool, ToolResult } from '../../ports/tool.ts';
import type { ToolCall } from '../../scheduler/tool-call.ts';
import { NO_HOOKS, type ToolHooks } from '../../scheduler/tool-hooks.ts';

/** The hooks as the scheduler knows them. */
export function toolHooksOf(hooks: HookSystem): ToolHooks {
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
