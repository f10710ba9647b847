import { unlessAborted } from '../base/abort.ts';
import type { Logger } from '../ports/logger.ts';
import {
  isReadOnly,
  type SessionControls,
  type Tool,
  type ToolContext,
  type ToolResult,
  toolError,
} from '../ports/tool.ts';
import type { WorkspacePort } from '../ports/workspace.ts';
import type { ToolDisplay } from '../protocol/agent/agent-event.ts';
import { cutLongOutput, longestOutput } from '../text/long-output.ts';
import type { AfterTool, ToolHooks } from './review-ports.ts';
import type { ToolCall } from './tool-call.ts';
import { cancelled, type Reviewed } from './tool-call.ts';

export interface BodyPorts {
  readonly log: Logger;
  readonly hooks: ToolHooks;
  workspace(): WorkspacePort;
  session(): SessionControls;
  /** The context of the tool, without `update` and the approval. */
  contextOf(call: ToolCall, signal: AbortSignal): ToolContext;
  /** Resolves when all records so far are on disk. */
  synced(): Promise<void>;
  /** Saves an output that is too long for the model and returns its path. Undefined if outputs aren't saved. */
  saveOutput(call: ToolCall, text: string): Promise<string | undefined>;
  /** The remaining context window; absent if it is unknown. */
  tokensLeft?(): number;
}

export interface BodyEnd {
  readonly result: ToolResult;
  /** The call that a hook requests instead. */
  readonly tail?: Extract<AfterTool, { kind: 'go' }>['tail'];
}

/** Runs a reviewed call and its AfterTool hooks. */
export async function runBody(
  reviewed: Extract<Reviewed, { go: true }>,
  tool: Tool,
  ports: BodyPorts,
  signal: AbortSignal,
  update: (display: ToolDisplay) => void,
): Promise<BodyEnd> {
  const { call, args, approved, byPerson, ruling } = reviewed;
  const judged = byPerson ? undefined : ruling.runs;
  if (!isReadOnly(tool)) {
    // The approval and the start must be on disk before the tool can have an effect.
    await unlessAborted(ports.synced(), signal);
    if (signal.aborted) return { result: cancelled() };
  }
  const context = {
    ...ports.contextOf(call, signal),
    update,
    ...(approved && { approved }),
    ...(judged !== undefined && { judged }),
    ...(ruling.onlyConfined && !byPerson && { onlyConfined: true }),
    ...(byPerson && { byPerson: { isGate: ruling.isGate === true } }),
  };
  const body = tool
    .execute(args, context)
    .then((result) => bounded(result, tool, call, ports))
    .then((result) => withFeedback(result, approved?.answer.feedback));
  const result = await unlessAborted(body, signal);
  if (!result) return { result: isReadOnly(tool) ? cancelled() : await cutShort(tool, body) };
  const after = await ports.hooks.after(call, tool, result, signal);
  return afterHooks(result, after);
}

/** The output of a stopped command is useful for the model, so the command gets a moment to deliver it. */
async function cutShort(tool: Tool, body: Promise<ToolResult>): Promise<ToolResult> {
  const late = tool.longOutput ? await Promise.race([body.catch(() => undefined), moment()]) : undefined;
  if (late?.error?.type === 'cancelled') return late;
  return toolError('cancelled', 'Cancelled: the user stopped this while it ran. A part of it may have happened.');
}

/** Longer than ending a process group takes, and shorter than users are willing to wait after Stop. */
const LAST_WORDS = 1_500;

function moment(): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), LAST_WORDS).unref();
  });
}

function afterHooks(result: ToolResult, after: AfterTool): BodyEnd {
  if (after.kind === 'stop') return { result: toolError('stop_execution', after.reason) };
  if (after.kind === 'deny') return { result: toolError('result_refused', after.reason) };
  const { context, tail } = after;
  const told = context === undefined ? result : withContext(result, context);
  return { result: told, ...(tail && { tail }) };
}

function withContext(result: ToolResult, context: string): ToolResult {
  return withText(result, `<hook_context>${context}</hook_context>`);
}

function withFeedback(result: ToolResult, feedback: string | undefined): ToolResult {
  return feedback ? withText(result, `The user allowed this and said:\n${feedback}`) : result;
}

function withText(result: ToolResult, added: string): ToolResult {
  const text = `\n\n${added}`;
  if (result.error) return { ...result, error: { ...result.error, message: result.error.message + text } };
  const { content } = result;
  return { ...result, content: typeof content === 'string' ? content + text : [...content, { text }] };
}

/** Cuts an output that is longer than the model has room for. A file has the whole output. */
async function bounded(result: ToolResult, tool: Tool, call: ToolCall, ports: BodyPorts): Promise<ToolResult> {
  const { content, error } = result;
  const said = error?.message ?? onlyText(content);
  // Finding out how much room is left takes longer than most reads.
  if (said === undefined || said.length <= longestOutput(0)) return result;
  const threshold = longestOutput(ports.tokensLeft?.(), !tool.longOutput);
  if (said.length <= threshold) return result;
  const file = await ports.saveOutput(call, said);
  const cut = cutLongOutput(said, { threshold, file });
  return error ? { ...result, error: { ...error, message: cut } } : { ...result, content: cut };
}

function onlyText(content: ToolResult['content']): string | undefined {
  if (typeof content === 'string') return content;
  const [only, ...others] = content;
  return others.length === 0 ? only?.text : undefined;
}
