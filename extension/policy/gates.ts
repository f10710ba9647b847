import * as l10n from '@vscode/l10n';
import { guardPath } from '../files/path-guard.ts';
import { contains, resolveRealPath } from '../files/real-path.ts';
import type { Refusal, Tool, TouchedPath } from '../ports/tool.ts';
import type { WorkspacePort } from '../ports/workspace.ts';
import type { ApprovalMode } from '../protocol/agent/approval-mode.ts';

/** Kinds of tools that only read the workspace: no process, no network, no change. */
const LOOKING: ReadonlySet<Tool['kind']> = new Set(['read', 'search']);

/** Kinds of tools that change nothing while a plan is made. A subagent is in plan mode when its leader is. */
const PLANNING: ReadonlySet<Tool['kind']> = new Set([
  'read',
  'search',
  'fetch',
  'think',
  'communicate',
  'plan',
  'agent',
]);

type Gated = Pick<Tool, 'kind' | 'server' | 'annotations' | 'mayPlan'>;

/** Whether the model learns about a tool. Tools that a gate would refuse anyway are not offered. */
export function isOffered(
  tool: Gated & Pick<Tool, 'mode' | 'isUseful'>,
  workspace: WorkspacePort,
  mode: ApprovalMode,
): boolean {
  if (!mayExist(tool, workspace) || tool.isUseful?.() === false) return false;
  if (tool.mode !== undefined && (tool.mode === 'plan') !== (mode === 'plan')) return false;
  return mode !== 'plan' || mayPlan(tool) || tool.kind === 'edit';
}

/** In Restricted Mode, only tools that read exist, and no MCP server. No rule, setting or mode opens this gate. */
function mayExist(tool: Gated, workspace: WorkspacePort): boolean {
  return workspace.isTrusted() || (LOOKING.has(tool.kind) && tool.server === undefined);
}

/** An MCP server can declare that a tool only reads. Then the rules decide, and the shipped rules ask. */
function mayPlan({ kind, server, annotations, mayPlan: can }: Gated): boolean {
  return PLANNING.has(kind) || can?.() === true || (server !== undefined && annotations?.['readOnlyHint'] === true);
}

export interface GateSurroundings {
  /** The workspace as the tools see it. While a plan is made, it includes the folder of the plans. */
  readonly workspace: WorkspacePort;
  readonly mode: ApprovalMode;
  readonly plansFolder: string | undefined;
}

/** The reason why a call may not run now. Undefined if no gate refuses it. */
export async function gateRefusal(
  tool: Gated & Pick<Tool, 'name' | 'reachesFurther'>,
  touched: readonly TouchedPath[],
  { workspace, mode, plansFolder }: GateSurroundings,
): Promise<Refusal | undefined> {
  if (!mayExist(tool, workspace)) {
    return {
      why: `${tool.name} is off because this folder is not trusted. Only reading is possible until the user trusts it.`,
      shown: l10n.t(
        '{0} is off because this folder is not trusted. Only reading is possible until you trust it.',
        tool.name,
      ),
    };
  }
  if (mode !== 'plan' || mayPlan(tool)) return undefined;
  if (tool.kind === 'edit' && !tool.reachesFurther && (await onlyPlans(touched, workspace.roots(), plansFolder)))
    return undefined;
  const plans = plansFolder === undefined ? '' : ` except Markdown files in ${plansFolder}`;
  return {
    why: `${tool.name} is off in plan mode: nothing may change${plans}. Finish the plan and call exit_plan_mode.`,
    shown: l10n.t('{0} is off in plan mode: only the plan can change.', tool.name),
  };
}

/** Checks where the paths lead (links resolved), not how they are written. */
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
