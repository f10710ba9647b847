import type { McpServers } from '../mcp/mcp-servers.ts';
import type { SessionSkills } from '../skills/session-skills.ts';
import { ToolRegistry, type ToolSource } from '../tools/registry.ts';
import type { SessionAgents } from './agents/session-agents.ts';
import type { Subagent } from './agents/subagent.ts';
import type { SessionCommands } from './commands/session-commands.ts';
import type { SessionModel } from './model/session-model.ts';
import type { SharedParts } from './session-parts.ts';

interface RegistryParts {
  readonly commands: SessionCommands;
  readonly agents: SessionAgents;
  readonly model: SessionModel;
  readonly skills: SessionSkills;
  readonly subagent: Subagent | undefined;
  readonly servers: McpServers | undefined;
  /** The tools of the program that drives the session. */
  readonly clientTools: ToolSource;
}

/** The tools of a session: its own, and those of MCP servers and of its client. */
export function createRegistry(shared: SharedParts, parts: RegistryParts): ToolRegistry {
  const { host, shell, tools, mcp, memory, geminiSettings } = shared;
  const { commands, model, agents, skills, subagent, servers, clientTools } = parts;
  const own = tools({
    assets: host.assets,
    shell,
    sandbox: commands.sandbox,
    protectedFiles: commands.protectedFiles,
    processes: commands.processes,
    commandStarted: (callId, command) => commands.started(callId, command),
    canBeAnswered: host.terminals !== undefined,
    ...(host.editor && { editor: host.editor }),
    skills,
    memoryFile: () => memory.fileName,
    generate: (request, signal) => model.generate(request, signal),
    ...(subagent?.mayInvoke !== false && { agents }),
  });
  const restrictions = () => geminiSettings.restrictions;
  return subagent
    ? new ToolRegistry(subagent.toolsOf(own), subagent.serverTools, restrictions)
    : new ToolRegistry(own, [mcp, ...(servers ? [servers] : []), clientTools], restrictions);
}
