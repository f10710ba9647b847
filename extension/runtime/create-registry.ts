import type { ProcessTable } from '../processes/shell/process-table.ts';
import { ToolRegistry } from '../tools/registry.ts';
import type { SessionAgents } from './agents/session-agents.ts';
import type { Subagent } from './agents/subagent.ts';
import type { SessionCommands } from './commands/session-commands.ts';
import type { SessionKnowledge } from './knowledge/session-knowledge.ts';
import type { SessionModel } from './model/session-model.ts';
import type { SharedParts } from './session-parts.ts';

export interface RegistryParts {
  readonly processes: ProcessTable;
  readonly commands: SessionCommands;
  readonly model: SessionModel;
  readonly agents: SessionAgents;
  readonly knowledge: Pick<SessionKnowledge, 'skills'>;
  readonly subagent: Subagent | undefined;
}

/** The tools of one session. */
export function createRegistry(
  { host, shell, tools, mcp, memory, geminiSettings }: SharedParts,
  parts: RegistryParts,
): ToolRegistry {
  const { processes, commands, model, agents, knowledge, subagent } = parts;
  const own = tools({
    assets: host.assets,
    shell,
    sandbox: commands.sandbox,
    protectedFiles: commands.protectedFiles,
    processes,
    commandStarted: (callId, command) => commands.started(callId, command),
    canBeAnswered: host.terminals !== undefined,
    ...(host.editor && { editor: host.editor }),
    skills: knowledge.skills,
    memoryFile: () => memory.fileName,
    generate: (request, signal) => model.generate(request, signal),
    ...(subagent?.mayInvoke !== false && { agents }),
  });
  const restrictions = () => geminiSettings.restrictions;
  return subagent
    ? new ToolRegistry(subagent.toolsOf(own), subagent.serverTools, restrictions)
    : new ToolRegistry(own, [mcp], restrictions);
}
