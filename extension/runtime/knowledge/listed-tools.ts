import type { Tool } from '../../ports/tool.ts';
import { ProcessTable } from '../../processes/shell/process-table.ts';
import type { SharedParts } from '../session-parts.ts';

export interface ListedTool {
  readonly name: string;
  readonly kind: Tool['kind'];
  /** The first sentence of the tool's description for the model. */
  readonly summary: string;
  /** The MCP server that provides the tool. */
  readonly server?: string;
}

/** The tools that a session would have, for display only. They can't be run. */
export function listedTools({
  host,
  tools,
  shell,
  agents,
  mcp,
  geminiSettings,
}: Pick<SharedParts, 'host' | 'tools' | 'shell' | 'agents' | 'mcp' | 'geminiSettings'>): readonly ListedTool[] {
  const made = tools({
    assets: host.assets,
    shell,
    processes: new ProcessTable(),
    ...(host.editor && { editor: host.editor }),
    generate: onlyListed,
    agents: { available: () => agents.agents(), onlyReads: () => false, run: onlyListed },
  });
  const { restrictions } = geminiSettings;
  const usable = [...made, ...mcp.tools()].filter((tool) => !restrictions.refusal(tool));
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
