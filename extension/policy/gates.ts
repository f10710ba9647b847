import type { ApprovalMode } from '../protocol/approval-mode.ts';
import type { WorkspacePort } from '../runtime/host.ts';
import type { Tool, TouchedPath } from '../tools/tool.ts';
import { guardPath } from './path-guard.ts';
import { contains, resolveRealPath } from './real-path.ts';

/** Kinds that only look at what is in the workspace: no process, no network, no change. */
const LOOKING: ReadonlySet<Tool['kind']> = new Set(['read', 'search']);

/** Kinds that leave everything as it is while a plan is made. */
const PLANNING: ReadonlySet<Tool['kind']> = new Set(['read', 'search', 'fetch', 'think', 'communicate', 'plan']);

/** What the model may know of: nothing that a gate would refuse anyway. */
export function isOffered(
  tool: Pick<Tool, 'kind' | 'mode' | 'isUseful'>,
  workspace: WorkspacePort,
  mode: ApprovalMode,
): boolean {
  if (!mayExist(tool, workspace) || tool.isUseful?.() === false) return false;
  if (tool.mode !== undefined && (tool.mode === 'plan') !== (mode === 'plan')) return false;
  return mode !== 'plan' || PLANNING.has(tool.kind) || tool.kind === 'edit';
}

/** In Restricted Mode only looking exists. No rule, setting or mode can open this gate. */
function mayExist(tool: Pick<Tool, 'kind'>, workspace: WorkspacePort): boolean {
  return workspace.isTrusted() || LOOKING.has(tool.kind);
}

export interface GateSurroundings {
  /** As the tools see it: with the folder of the plans while one is made. */
  readonly workspace: WorkspacePort;
  readonly mode: ApprovalMode;
  readonly plansFolder: string | undefined;
}

/** Why a call may not run now, or undefined when no gate stands in its way. */
export async function gateRefusal(
  tool: Pick<Tool, 'kind' | 'name' | 'reachesFurther'>,
  touched: readonly TouchedPath[],
  { workspace, mode, plansFolder }: GateSurroundings,
): Promise<string | undefined> {
  if (!mayExist(tool, workspace)) {
    return `${tool.name} is off because this folder is not trusted. Only reading is possible until the user trusts it.`;
  }
  if (mode !== 'plan' || PLANNING.has(tool.kind)) return undefined;
  if (tool.kind === 'edit' && !tool.reachesFurther && (await onlyPlans(touched, workspace.roots(), plansFolder)))
    return undefined;
  const plans = plansFolder === undefined ? '' : ` except Markdown files in ${plansFolder}`;
  return `${tool.name} is off in plan mode: nothing may change${plans}. Finish the plan and call exit_plan_mode.`;
}

/** Judged by where the paths lead, never by how they are written. */
async function onlyPlans(
  touched: readonly TouchedPath[],
  roots: readonly string[],
  plansFolder: string | undefined,
): Promise<boolean> {
  const written = touched.filter(({ access }) => access === 'write');
  if (plansFolder === undefined || written.length === 0) return false;
  const plans = await resolveRealPath(plansFolder);
  const guarded = await Promise.all(written.map(({ path }) => guardPath(path, roots)));
  return guarded.every(
    (path) => path.allowed && contains(plans.path, path.path) && path.path.toLowerCase().endsWith('.md'),
  );
}
