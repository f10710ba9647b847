import type { Tool } from '../../ports/tool.ts';
import { ProcessTable } from '../../processes/shell/process-table.ts';
import type { CommandSandbox } from '../../tools/shell/run-shell-command.ts';
import type { SharedParts } from '../session-parts.ts';

export interface ListedTool {
  readonly name: string;
  readonly kind: Tool['kind'];
  /** The first sentence of the tool's description for the model. */
  readonly summary: string;
  /** The MCP server that provides the tool. */
  readonly server?: string;
}

interface ToolSources extends Pick<SharedParts, 'host' | 'tools' | 'shell' | 'geminiSettings'> {
  readonly agents: Pick<SharedParts['agents'], 'agents'>;
  readonly mcp: Pick<SharedParts['mcp'], 'tools'>;
}

/** All tools, also those that settings disable. They can't be run. */
export function toolsToShow(
  { host, tools, shell, agents, mcp }: Omit<ToolSources, 'geminiSettings'>,
  sandbox?: CommandSandbox,
): readonly Tool[] {
  const made = tools({
    assets: host.assets,
    shell,
    processes: new ProcessTable(),
    ...(sandbox && { sandbox }),
    ...(host.editor && { editor: host.editor }),
    generate: onlyListed,
    agents: { available: () => agents.agents(), onlyReads: () => false, run: onlyListed },
  });
  return [...made, ...mcp.tools()];
}

export function listedTools(sources: ToolSources): readonly ListedTool[] {
  const { restrictions } = sources.geminiSettings;
  const usable = toolsToShow(sources).filter((tool) => !restrictions.refusal(tool));
  return usable.map(({ name, kind, description, server }) => ({
    name,
    kind,
    summary: firstSentence(description),
    ...(server !== undefined && { server }),
  }));
}

function onlyListed(): Promise<never> {
  return Promise.reject(new Error('Only listed.'));
}

function firstSentence(text: string): string {
  return /^.*?[.](?=\s|$)/s.exec(text)?.[0] ?? text;
}
