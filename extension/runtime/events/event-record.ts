import { type Event, getFunctionCalls } from '@google/adk';
import type { WorkspacePort } from '../../ports/workspace.ts';
import type { ToolDisplay } from '../../protocol/agent/agent-event.ts';
import type { ToolCall } from '../../scheduler/tool-call.ts';
import type { RecordBody } from '../../sessions/session-record.ts';
import type { ToolRegistry } from '../../tools/registry.ts';

/** An event of ADK as it is written down: with how its calls are shown, and what it cost. */
export function eventRecord(
  event: Event,
  describe: (call: ToolCall) => ToolDisplay,
  amount: number | undefined,
): RecordBody {
  const calls = getFunctionCalls(event);
  const displays = calls.map(({ id = '', name = '', args = {} }) => [id, describe({ id, name, args })] as const);
  return {
    type: 'event',
    event,
    ...(calls.length > 0 && { displays: Object.fromEntries(displays) }),
    ...(amount !== undefined && { cost: { amount, currency: 'USD' } }),
  };
}

export function describeCall({ name, args }: ToolCall, registry: ToolRegistry, workspace: WorkspacePort): ToolDisplay {
  const tool = registry.get(name);
  return tool ? { name: tool.displayName, description: tool.describe(args, workspace) } : { name };
}
