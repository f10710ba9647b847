import { mkdir } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { once } from '../../base/once.ts';
import { namedFailure } from '../../files/file-failure.ts';
import { contains, resolveRealPath } from '../../files/real-path.ts';
import { openRegularFile, readUpTo } from '../../files/regular-file.ts';
import { decodeText } from '../../files/text-codec.ts';
import {
  type ProposeOutcome,
  type SessionControls,
  type Tool,
  type ToolContext,
  type ToolResult,
  toolError,
} from '../../ports/tool.ts';
import type { ToolDisplay } from '../../protocol/agent/agent-event.ts';
import { oneLine } from '../../text/one-line.ts';

const enterSchema = once(() =>
  z.object({
    reason: z.string().max(2000).optional().describe('Why it is better to plan first, for the user.'),
  }),
);

const exitSchema = once(() =>
  z.object({
    plan_filename: z.string().min(1).max(500).describe('Name of the Markdown file in the folder for plans.'),
  }),
);

export function createEnterPlanModeTool(): Tool<ReturnType<typeof enterSchema>> {
  return {
    name: 'enter_plan_mode',
    mode: 'work',
    displayName: 'Enter Plan Mode',
    kind: 'plan',
    description:
      'Switches to plan mode, in which you can read, search and ask, but only write the plan. It ends when the user approves ' +
      'the plan. Use it for large or risky changes, or if the user asks for a plan; not for small changes or questions.',
    get schema() {
      return enterSchema();
    },
    describe: ({ reason }) => (typeof reason === 'string' ? oneLine(reason, 300) : ''),
    propose: ({ reason }, context) => Promise.resolve(proposeEntering(reason, context)),
    execute: (_args, context) => enter(context),
  };
}

export function createExitPlanModeTool(): Tool<ReturnType<typeof exitSchema>> {
  return {
    name: 'exit_plan_mode',
    mode: 'plan',
    displayName: 'Exit Plan Mode',
    kind: 'plan',
    description:
      'Shows the user the finished plan and asks for approval. If they approve, plan mode ends and you carry out the plan. ' +
      'First write the plan to a Markdown file in the folder for plans. If they reject it, change the plan as they say.',
    get schema() {
      return exitSchema();
    },
    alwaysAsks: true,
    describe: ({ plan_filename }) => (typeof plan_filename === 'string' ? oneLine(plan_filename, 300) : ''),
    propose: ({ plan_filename }, context) => proposeLeaving(plan_filename, context),
    execute: ({ plan_filename }, context) => leave(plan_filename, context),
  };
}

function proposeEntering(reason: string | undefined, context: ToolContext): ProposeOutcome {
  const failed = cannotEnter(context);
  if (failed) return { failed };
  const what = l10n.t('Gantry plans first and changes nothing.');
  const text = reason === undefined ? what : `${what} ${oneLine(reason, 2000)}`;
  return { proposal: { kind: 'details', details: { type: 'info', text } } };
}

async function enter(context: ToolContext): Promise<ToolResult> {
  const { session } = context;
  const { plansFolder } = session;
  const failed = cannotEnter(context);
  if (failed || plansFolder === undefined) return failed ?? noPlans();
  try {
    await mkdir(plansFolder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const detail = namedFailure(error);
    return toolError('execution_failed', `The folder for plans could not be made: ${detail}`);
  }
  session.setMode('plan');
  return {
    content:
      `Plan mode is on. Look around and ask what you need to know, then write the plan to a Markdown file in ` +
      `${plansFolder} and call exit_plan_mode with its name.`,
    display: notice('Enter Plan Mode', l10n.t('plan mode is on')),
  };
}

function cannotEnter({ session, ask }: ToolContext): ToolResult | undefined {
  if (session.plansFolder === undefined) return noPlans();
  if (session.mode() === 'plan')
    return toolError('execution_failed', 'Plan mode is on already. Write the plan, then call exit_plan_mode.');
  // Without a user to approve the plan, plan mode would never end.
  return ask ? undefined : toolError('execution_failed', NOBODY);
}

const NOBODY = 'Nobody is there to approve a plan. Plan by yourself, then do the work.';

async function proposeLeaving(name: string, { session }: ToolContext): Promise<ProposeOutcome> {
  const plan = await planToLeaveWith(name, session);
  if ('problem' in plan) return { failed: toolError('execution_failed', plan.problem) };
  return { proposal: { kind: 'details', details: { type: 'plan', ...plan } } };
}

async function leave(name: string, context: ToolContext): Promise<ToolResult> {
  const { session, approved } = context;
  const shown = approved?.proposal?.kind === 'details' ? approved.proposal.details : undefined;
  const wasShown = shown?.type === 'plan' ? shown : undefined;
  // The user may have changed the mode while reading the plan. Then that mode stays.
  const found = wasShown ? await planOf(name, session) : await planToLeaveWith(name, session);
  if ('problem' in found) return toolError('execution_failed', found.problem);
  // The user read and approved this text, even if the file has changed since.
  const plan = wasShown ?? found;
  const open = wasShown && (await context.files.openDocument(found.path));
  const edited = editOf(plan.text, approved?.answer.plan ?? open?.text);
  if (edited !== undefined && Buffer.byteLength(edited) > MAX_PLAN_BYTES)
    return toolError('execution_failed', TOO_LONG);
  const mode = session.mode() === 'plan' ? (approved?.answer.approvalMode ?? 'default') : session.mode();
  // Saves the plan before plan mode ends, because its folder is only writable in plan mode.
  const kept =
    edited === undefined ? '' : await keepEdit({ ...found, text: open?.text ?? found.text }, edited, context);
  if (mode !== session.mode()) session.setMode(mode);
  const how = edited === undefined ? 'is approved' : `is approved, as the user changed it${kept},`;
  return {
    content: `The plan ${how} and plan mode is off (mode: ${mode}). Carry it out now. The plan, ${plan.path}:\n\n${edited ?? plan.text}`,
    display: notice(
      'Exit Plan Mode',
      edited === undefined
        ? l10n.t('plan approved ({0})', mode)
        : l10n.t('plan approved with your changes ({0})', mode),
    ),
    data: { approvedPlan: plan.path, mode },
  };
}

const TOO_LONG = 'The plan that the user made of it is larger than 1 MB. It was not approved: plan mode is still on.';

/** The text as edited by the user. Undefined if it is unchanged or empty. */
function editOf(text: string, edited: string | undefined): string | undefined {
  return edited === undefined || edited.trim() === '' || edited === text ? undefined : edited;
}

/**
 * Saves the edited plan, because the file is read again later. The approved text counts anyway, so a failed write is
 * only reported.
 */
async function keepEdit(
  { path, text }: { readonly path: string; readonly text: string },
  edited: string,
  { writeFile }: ToolContext,
): Promise<string> {
  try {
    await writeFile(path, Buffer.from(edited), { expected: text, text: edited });
    return '';
  } catch {
    return ' (the file could not be written and has the earlier text)';
  }
}

async function planToLeaveWith(name: string, session: SessionControls): Promise<PlanFile> {
  if (session.mode() !== 'plan') return { problem: 'Plan mode is not on, so there is nothing to leave. Do the work.' };
  return planOf(name, session);
}

async function planOf(name: string, { plansFolder }: SessionControls): Promise<PlanFile> {
  return plansFolder === undefined ? { problem: NO_PLANS } : readPlan(name, plansFolder);
}

const NO_PLANS =
  'There is no plan mode here, because this session is not kept and has no folder for plans. Give the plan as your answer.';

function noPlans(): ToolResult {
  return toolError('execution_failed', NO_PLANS);
}

function notice(name: string, resultSummary: string): ToolDisplay {
  return { name, resultSummary, result: null, format: 'notice' };
}

type PlanFile = { readonly path: string; readonly text: string } | { readonly problem: string };

/** A plan is for people to read; a longer text would be a book. */
const MAX_PLAN_BYTES = 1024 * 1024;

/** Reads a plan by its name. The real path must be in the plans folder, however the name is written. */
async function readPlan(name: string, plansFolder: string): Promise<PlanFile> {
  try {
    return await read(name, plansFolder);
  } catch {
    return { problem: `The plan "${name}" could not be read.` };
  }
}

async function read(name: string, plansFolder: string): Promise<PlanFile> {
  if (name.includes('\0')) return { problem: 'The name of the plan contains a NUL character.' };
  const [folder, plan] = await Promise.all([resolveRealPath(plansFolder), resolveRealPath(resolve(plansFolder, name))]);
  if (!contains(folder.path, plan.path) || folder.path === plan.path) {
    return { problem: `"${name}" is not in the folder for plans, ${plansFolder}. Write the plan there.` };
  }
  if (extname(plan.path).toLowerCase() !== '.md')
    return { problem: `"${name}" is not a Markdown file (.md). Write the plan to one.` };
  const missing = `There is no plan "${name}" in ${plansFolder}. Write it first.`;
  if (!plan.exists) return { problem: missing };
  const file = await openRegularFile(plan.path);
  if (!file.opened)
    return { problem: file.reason === 'missing' ? missing : `"${name}" could not be opened as a file.` };
  try {
    const bytes = await readUpTo(file.handle, file.size, MAX_PLAN_BYTES);
    if (!bytes) return { problem: `The plan "${name}" is larger than 1 MB. Make it shorter.` };
    const { text } = decodeText(bytes);
    return text.trim() === '' ? { problem: `The plan "${name}" is empty. Write it first.` } : { path: plan.path, text };
  } finally {
    await file.handle.close();
  }
}
