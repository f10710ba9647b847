import type { WorkspacePort } from '../runtime/host.ts';
import type { Tool } from '../tools/tool.ts';

/** Kinds that only look at what is in the workspace: no process, no network, no change. */
const LOOKING: ReadonlySet<Tool['kind']> = new Set(['read', 'search']);

export function onlyLooks(tool: Pick<Tool, 'kind'>): boolean {
  return LOOKING.has(tool.kind);
}

/** In Restricted Mode only looking exists. No rule, setting or mode can open this gate. */
export function isOffered(tool: Pick<Tool, 'kind'>, workspace: WorkspacePort): boolean {
  return workspace.isTrusted() || onlyLooks(tool);
}

/** Why a call may not run now, or undefined when no gate stands in its way. */
export function refusal(tool: Pick<Tool, 'kind' | 'name'>, workspace: WorkspacePort): string | undefined {
  if (isOffered(tool, workspace)) return undefined;
  return `${tool.name} is off because this folder is not trusted. Only reading is possible until the user trusts it.`;
}
