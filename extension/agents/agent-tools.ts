import { isReadOnly, type Tool } from '../ports/tool.ts';
import type { LocalAgent } from './agent-definition.ts';
import { namesTool } from './tool-names.ts';

/** How many agents may stand one below the other: each multiplies what a message can cost. */
export const DEEPEST = 2;

/** What only the main agent does: lead the conversation, and decide how much runs without a question. */
const OF_MAIN_AGENT: ReadonlySet<string> = new Set(['update_topic', 'enter_plan_mode', 'exit_plan_mode']);

/** Whether an agent may have a tool, of those that the session has which it works for. */
export function mayHave({ tools, within = [] }: LocalAgent, tool: Tool): boolean {
  if (OF_MAIN_AGENT.has(tool.name) || tool.kind === 'switch_mode') return false;
  return [tools, ...within].every((names) => namesTool(names, tool));
}

/** Whether an agent can change nothing with what it would have of these tools. */
export function onlyReads(agent: LocalAgent, tools: readonly Tool[]): boolean {
  if (Object.keys(agent.mcpServers).length > 0) return false;
  return tools.filter((tool) => mayHave(agent, tool)).every((tool) => isReadOnly(tool) || tool.kind === 'think');
}
