import * as l10n from '@vscode/l10n';
import type { RuleDraft } from '../../policy/policy-types.ts';
import { pathPattern } from '../../policy/rules/exact-patterns.ts';
import { commandGrants } from '../../policy/shell/command-grants.ts';
import type { ShellParser } from '../../policy/shell/shell-types.ts';
import type { Tool } from '../../ports/tool.ts';
import type { ApprovalMode } from '../../protocol/agent/approval-mode.ts';
import type { OfferedGrant } from '../../scheduler/review-ports.ts';
import type { ToolCall } from '../../scheduler/tool-call.ts';

/** Tools that change one file, which the call names. */
const FILE_TOOLS = ['write_file', 'replace'];

/** The grants that "for this session" and "always" can offer for a call, the narrowest first. */
export async function grantsFor(
  call: ToolCall,
  tool: Tool,
  modes: readonly ApprovalMode[],
  roots: readonly string[],
  shellParser: () => Promise<ShellParser>,
): Promise<readonly OfferedGrant[]> {
  if (tool.alwaysAsks || tool.kind === 'plan') return [];
  const { command, file_path: path } = call.args;
  if (tool.kind === 'execute' && typeof command === 'string') {
    const grants = commandGrants((await shellParser()).parse(command), command, roots);
    return grants.map(({ rules, ...grant }) => ({
      ...grant,
      rules: rules.map((rule) => ({ toolName: call.name, ...rule, modes })),
    }));
  }
  const { agent_name: agent } = call.args;
  if (tool.kind === 'agent') return typeof agent === 'string' ? [agentGrant(tool, agent, modes)] : [];
  if (FILE_TOOLS.includes(call.name)) return typeof path === 'string' ? [fileGrant(path, modes)] : [];
  // A tool that changes several files always asks.
  if (tool.kind === 'edit') return [];
  return tool.server === undefined ? [toolGrant(tool, modes)] : serverGrants(tool, tool.server, modes);
}

/** Whether the rule is about a file. Its path is relative to the open folder. */
export function isFileRule({ toolName }: RuleDraft): boolean {
  return FILE_TOOLS.includes(toolName);
}

function fileGrant(path: string, modes: readonly ApprovalMode[]): OfferedGrant {
  const argsPattern = pathPattern('file_path', path);
  return {
    id: 'file',
    label: path,
    covers: l10n.t('Every change to {0}, and to no other file.', path),
    rules: FILE_TOOLS.map((toolName): RuleDraft => ({ toolName, argsPattern, modes })),
  };
}

/** For one agent: the others may work elsewhere. */
function agentGrant({ name }: Tool, agent: string, modes: readonly ApprovalMode[]): OfferedGrant {
  return {
    id: 'agent',
    label: agent,
    covers: l10n.t('Every task for the agent {0}.', agent),
    rules: [{ toolName: name, argsPattern: pathPattern('agent_name', agent), modes }],
  };
}

function toolGrant(tool: Tool, modes: readonly ApprovalMode[]): OfferedGrant {
  return {
    id: 'tool',
    label: tool.displayName,
    covers: l10n.t('Every use of {0}, with any arguments.', tool.displayName),
    rules: [{ toolName: tool.name, modes }],
  };
}

function serverGrants(tool: Tool, server: string, modes: readonly ApprovalMode[]): readonly OfferedGrant[] {
  return [
    { ...toolGrant(tool, modes), rules: [{ toolName: tool.name, mcpName: server, modes }] },
    {
      id: 'server',
      label: server,
      covers: l10n.t('Every tool of the server {0}.', server),
      rules: [{ toolName: '*', mcpName: server, modes }],
    },
  ];
}
