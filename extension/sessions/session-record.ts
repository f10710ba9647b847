import type { Event } from '@google/adk';
import type { Part } from '@google/genai';
import * as z from 'zod';
import { once } from '../base/once.ts';
import type { RuleDraft } from '../policy/policy-types.ts';
import type { ToolResult } from '../ports/tool.ts';
import type { CallTarget, ToolDisplay } from '../protocol/agent/agent-event.ts';
import type { ApprovalRequest, ModelChoice } from '../protocol/agent/approval.ts';
import { APPROVAL_MODES } from '../protocol/agent/approval-mode.ts';
import { approvalRequestSchema, modelChoiceSchema } from '../protocol/agent/approval-schema.ts';
import type { ContentPart } from '../protocol/agent/content-part.ts';
import type { Problem } from '../protocol/agent/problem.ts';
import { BLOCKED_KINDS } from '../protocol/agent/sandbox-block.ts';
import {
  hasFields,
  isAdkEvent,
  isCallTarget,
  isDisplay,
  isPart,
  isParts,
  isProblem,
  isRuleDraft,
  isToolResult,
} from './stored-shapes.ts';

/** The format of docs/session-log.md. A reader refuses a log whose version is newer than this. */
export const LOG_VERSION = 1;

/** The records of a log, by type. Every record also has `at`, the time it was written. Only a resumed session reads them. */
const bodies = once(() => {
  const parts = z.array(z.custom<Part>(isPart));
  const shown = z.array(z.custom<ContentPart>((value) => hasFields(value) && typeof value['type'] === 'string'));
  const adkEvent = z.custom<Event>(isAdkEvent);
  const display = z.custom<ToolDisplay>(isDisplay);
  const target = z.custom<CallTarget>(isCallTarget);
  const data = z.record(z.string(), z.unknown());
  const hash = z.nullable(z.string());

  /** The state of a protected file; null if there was none. Without a hash, its content isn't stored. */
  const protectedVersion = z.nullable(
    z.object({ hash: z.optional(z.string()), mode: z.optional(z.number()), link: z.optional(z.string()) }),
  );

  const call = z.object({ id: z.string(), name: z.string(), args: data });

  return z.discriminatedUnion('type', [
    /** The first line. */
    z.object({
      type: z.literal('session'),
      version: z.number(),
      id: z.string(),
      workspace: z.string(),
      /** The leader's call that this session works for. */
      parent: z.optional(z.object({ sessionId: z.string(), callId: z.string() })),
      /** The name of the agent whose session it is; absent for the main agent. */
      agent: z.optional(z.string()),
      /** Whether another service runs that agent. */
      isRemote: z.optional(z.boolean()),
      /** The source of the records after this one, if they were copied. */
      origin: z.optional(z.object({ kind: z.enum(['fork', 'copy', 'gemini-cli']), of: z.string() })),
    }),
    /** A run was requested, with a message of the user or to continue without one. */
    z.object({
      type: z.literal('sent'),
      streamId: z.string(),
      event: z.optional(adkEvent),
      /** The content that the user sees instead of the event's own text. */
      shown: z.optional(shown),
      meta: z.optional(data),
      /** The user extended the session's limits. */
      extendsLimits: z.optional(z.boolean()),
      /** The model that was chosen for this run alone. */
      model: z.optional(z.string()),
    }),
    z.object({
      type: z.literal('run_started'),
      /** The turn limit of a subagent; absent for a user's run. */
      maxTurns: z.optional(z.number()),
    }),
    /** The run was interrupted with its process and resumes here. The time in between doesn't count. */
    z.object({ type: z.literal('run_resumed') }),
    /** The model that answers from here on. */
    z.object({ type: z.literal('model'), label: z.string() }),
    /** Text as it arrived. The next event contains all of it again, unless the answer was cut off. */
    z.object({ type: z.literal('delta'), parts }),
    /** The text since the last event doesn't count: the answer was cut off and is requested again. */
    z.object({ type: z.literal('retracted') }),
    /** The model didn't answer and is asked again after this many milliseconds. `attempt` is the next one. */
    z.object({
      type: z.literal('model_waiting'),
      model: z.string(),
      attempt: z.number(),
      attempts: z.number(),
      ms: z.number(),
      why: z.string(),
    }),
    /** Another model than the chosen one answers. */
    z.object({ type: z.literal('model_switched'), from: z.string(), to: z.string(), why: z.string() }),
    /** An ADK event; one with a known ID replaces the earlier one. */
    z.object({
      type: z.literal('event'),
      event: adkEvent,
      /** The display of its calls, by call id. */
      displays: z.optional(z.record(z.string(), display)),
      /** What its calls do, and to which files, by call id. */
      targets: z.optional(z.record(z.string(), target)),
      cost: z.optional(z.object({ amount: z.number(), currency: z.string() })),
    }),
    /** A tool is about to run: from here on, it may have an effect. */
    z.object({ type: z.literal('tool_started'), callId: z.string() }),
    z.object({
      type: z.literal('tool_finished'),
      call,
      state: z.enum(['success', 'error', 'cancelled']),
      result: z.custom<ToolResult>(isToolResult),
      display,
      /** The decision of the rules and its reason. */
      ruling: z.optional(z.object({ decision: z.enum(['allow', 'ask_user', 'deny']), why: z.string() })),
      /** How long the tool ran, in milliseconds. */
      duration: z.optional(z.number()),
    }),
    /** A subagent works for this call in its own session. */
    z.object({ type: z.literal('agent_started'), callId: z.string(), sessionId: z.string() }),
    /** Another service works on a task for this session, and can be asked about it. */
    z.object({ type: z.literal('remote_task'), taskId: z.string(), contextId: z.string() }),
    /** The subagent starts or stops waiting for a person. */
    z.object({ type: z.literal('agent_waits'), requestId: z.string(), over: z.boolean() }),
    /** An approval is pending. */
    z.object({
      type: z.literal('asked'),
      requestId: z.string(),
      /** Absent if it is not about a call. */
      callId: z.optional(z.string()),
      title: z.string(),
      message: z.string(),
      schema: data,
      request: z.optional(z.custom<ApprovalRequest>((value) => approvalRequestSchema().safeParse(value).success)),
      /** Set if it asks which model should answer. */
      modelChoice: z.optional(z.custom<ModelChoice>((value) => modelChoiceSchema().safeParse(value).success)),
    }),
    z.object({
      type: z.literal('answered'),
      requestId: z.string(),
      action: z.enum(['accept', 'decline', 'cancel']),
      content: data,
      /** Where it was answered, such as "panel". */
      by: z.optional(z.string()),
    }),
    /** The grants that the user gave for the rest of the session. */
    z.object({ type: z.literal('grant'), rules: z.array(z.custom<RuleDraft>(isRuleDraft)) }),
    /** The approval mode from here on. */
    z.object({ type: z.literal('mode'), mode: z.enum(APPROVAL_MODES) }),
    /** A file is about to be written. A null hash means no file. The contents are stored next to the log, by hash. */
    z.object({
      type: z.literal('file_change'),
      path: z.string(),
      before: hash,
      after: hash,
      callId: z.optional(z.string()),
      rewindId: z.optional(z.string()),
      /** The review decision that it belongs to. */
      reviewId: z.optional(z.string()),
    }),
    /**
     * A review decision about a change made without asking: the content that the user agrees to, and the content of the
     * file when they decided. They are equal if nothing is left to review.
     */
    z.object({
      type: z.literal('reviewed'),
      id: z.string(),
      path: z.string(),
      baseline: hash,
      current: hash,
      /** A description of what was reverted, for the model. */
      undone: z.optional(z.string()),
    }),
    /** The user's comment on lines of a change that was already made. The model gets it with its next request. */
    z.object({
      type: z.literal('commented'),
      id: z.string(),
      path: z.string(),
      /** Zero-based line numbers; the end is included. */
      start: z.number(),
      end: z.number(),
      text: z.string(),
      /** The text for the model: the place, the lines at that time, and the comment. */
      feedback: z.string(),
    }),
    z.object({ type: z.literal('comment_withdrawn'), id: z.string() }),
    /** A message sent during a run. `id` is that of the event it becomes when it is delivered. */
    z.object({
      type: z.literal('pending'),
      id: z.string(),
      delivery: z.enum(['steer', 'queue']),
      parts,
      shown,
      meta: z.optional(data),
      /** The model of the run that it will begin. */
      model: z.optional(z.string()),
    }),
    z.object({ type: z.literal('withdrawn'), id: z.string(), by: z.enum(['user', 'stop']) }),
    z.object({ type: z.literal('problem'), problem: z.custom<Problem>(isProblem), fatal: z.boolean() }),
    z.object({
      type: z.literal('run_ended'),
      reason: z.enum([
        'completed',
        'failed',
        'aborted',
        'max_turns',
        'max_budget',
        'max_time',
        'refusal',
        'elicitation',
      ]),
      data: z.optional(data),
    }),
    /** Tokens of a request outside of the conversation, such as the one for the title. */
    z.object({
      type: z.literal('usage'),
      model: z.string(),
      inputTokens: z.optional(z.number()),
      outputTokens: z.optional(z.number()),
      cachedTokens: z.optional(z.number()),
      cost: z.optional(z.object({ amount: z.number(), currency: z.string() })),
    }),
    /** The conversation continues before this message, or the files are as they were then, or both. */
    z.object({
      type: z.literal('rewind'),
      id: z.string(),
      messageId: z.string(),
      what: z.enum(['conversation', 'files', 'both']),
    }),
    z.object({ type: z.literal('rewind_undone'), rewindId: z.string() }),
    z.object({ type: z.literal('title'), title: z.string(), by: z.enum(['user', 'model']) }),
    /** The model that the user chose for this session. */
    z.object({ type: z.literal('choice'), model: z.string() }),
    /** The settings name another model, and the session follows them. */
    z.object({ type: z.literal('model_setting'), model: z.string() }),
    /**
     * An addition by a hook: text for the model (which is also in an event or a result), text for the user, or a cut,
     * after which earlier messages are no longer sent to the model.
     */
    z.object({
      type: z.literal('hook'),
      event: z.string(),
      hook: z.string(),
      text: z.string(),
      kind: z.enum(['context', 'message', 'clear']),
    }),
    /**
     * The model repeated itself: in its calls, in its text, or as another model judged. It is warned with its next
     * request. `stops` is set if it had already been warned, so that the run ends.
     */
    z.object({
      type: z.literal('loop'),
      id: z.string(),
      kind: z.enum(['calls', 'words', 'check']),
      detail: z.string(),
      stops: z.boolean(),
    }),
    /** Whether loop detection is on in this session, from here on. */
    z.object({ type: z.literal('loop_detection'), on: z.boolean() }),
    /** The tools that the program runs which drives the session, from here on. */
    z.object({
      type: z.literal('client_tools'),
      tools: z.array(z.object({ name: z.string(), description: z.string(), parameters: data })),
    }),
    /** A client ended a task that waited for its next message, by the first run of the task. */
    z.object({ type: z.literal('task_ended'), streamId: z.string() }),
    z.object({ type: z.literal('pinned'), pinned: z.boolean() }),
    /** From here on, a summary replaces the events up to this one in requests, as long as that event exists. */
    z.object({
      type: z.literal('compacted'),
      upToEventId: z.string(),
      /** The summary as the model wrote it. */
      summary: z.string(),
      tokensBefore: z.number(),
      tokensAfter: z.number(),
      /** Automatic at the threshold, or requested by the user. */
      trigger: z.enum(['auto', 'manual']),
      /** The model whose window was filling up. */
      model: z.string(),
      /** The first message of the user that is still sent as it was. */
      keptFrom: z.optional(z.string()),
    }),
    /** A summary up to this event saved nothing: no other is made automatically while that event exists. */
    z.object({ type: z.literal('compaction_gave_nothing'), upToEventId: z.string() }),
    /** From here on, these outputs are shortened in requests; a file has each whole output. */
    z.object({
      type: z.literal('outputs_cut'),
      outputs: z.array(z.object({ callId: z.string(), file: z.optional(z.string()) })),
      /** The remaining length of each output, in characters. */
      threshold: z.number(),
      tokensBefore: z.number(),
      tokensAfter: z.number(),
    }),
    /** What was replaced in a request or an answer, as reported to the user. Secrets by name, never by value. */
    z.object({
      type: z.literal('left_out'),
      secrets: z.array(z.object({ id: z.string(), what: z.string(), where: z.string() })),
      hidden: z.number(),
      inAnswer: z.optional(z.boolean()),
    }),
    /** A command started: for a call of the model, or because the user typed it. */
    z.object({
      type: z.literal('command_started'),
      callId: z.string(),
      by: z.enum(['agent', 'user']),
      command: z.string(),
      folder: z.string(),
      /** Distinguishes it from a later process with the same ID. Absent if it didn't start, or not in this session. */
      process: z.optional(z.object({ pid: z.number(), start: z.optional(z.string()) })),
    }),
    /** A command that no call waits for has ended: in the background, or one that the user typed. */
    z.object({
      type: z.literal('command_ended'),
      callId: z.string(),
      by: z.enum(['agent', 'user']),
      command: z.string(),
      exitCode: z.nullable(z.number()),
      signal: z.nullable(z.string()),
      /** The output as text, cut if it is long. */
      output: z.string(),
      pid: z.optional(z.number()),
      /** Why the command could not be started. */
      failure: z.optional(z.string()),
      stoppedBy: z.optional(z.enum(['agent', 'button', 'closing'])),
      /** Milliseconds. */
      duration: z.optional(z.number()),
      /** For a command of the user: the call whose command was run again outside the sandbox. */
      outsideOf: z.optional(z.string()),
      /** Whether it outlived the window that started it, so that its output and exit code are unknown. */
      outlived: z.optional(z.boolean()),
    }),
    /** The user allowed commands to use a folder or host that the sandbox had blocked for the command of this call. */
    z.object({
      type: z.literal('sandbox_allowed'),
      callId: z.string(),
      kind: z.enum(BLOCKED_KINDS),
      what: z.string(),
      /** Whether it was also saved to the settings. */
      always: z.boolean(),
    }),
    /** The state of a command that no call waits for, after the process that started it has ended. */
    z.object({
      type: z.literal('command_lost'),
      callId: z.string(),
      by: z.enum(['agent', 'user']),
      command: z.string(),
      state: z.enum(['stopped', 'running', 'unknown']),
      pid: z.optional(z.number()),
    }),
    /** Protected files changed without approval while a command ran. The contents are stored next to the log, by hash. */
    z.object({
      type: z.literal('protected_changed'),
      id: z.string(),
      callId: z.string(),
      command: z.string(),
      files: z.array(
        z.object({
          path: z.string(),
          /** The path as the user sees it. */
          name: z.string(),
          what: z.string(),
          kind: z.enum(['created', 'deleted', 'changed', 'linked', 'mode']),
          before: protectedVersion,
          after: protectedVersion,
          /** Whether the file can be restored: the earlier content is stored, and the path is in the workspace. */
          restorable: z.boolean(),
        }),
      ),
      /** The number of files that are not listed. */
      more: z.optional(z.number()),
      /** Whether the call's result reports it; otherwise, the model gets a notice with its next request. */
      inResult: z.boolean(),
    }),
    /** The outcome of restoring such files. */
    z.object({
      type: z.literal('protected_put_back'),
      /** The id of the change. */
      id: z.string(),
      files: z.array(
        z.object({
          path: z.string(),
          outcome: z.enum(['back', 'again', 'failed']),
          /** For the user. */
          reason: z.optional(z.string()),
        }),
      ),
    }),
  ]);
});

export type RecordBody = z.infer<ReturnType<typeof bodies>>;
export type SessionRecord = RecordBody & { readonly at: string };
export type RecordOf<Type extends RecordBody['type']> = Extract<SessionRecord, { type: Type }>;
export type SessionHeader = RecordOf<'session'>;

const recordTypes = once(() => new Set<string>(bodies().def.options.map((option) => option.shape.type.value)));

export type ParsedRecord =
  | { readonly kind: 'record'; readonly record: SessionRecord }
  /** Written by a newer version: kept in the file, but ignored. */
  | { readonly kind: 'unknown'; readonly type: string }
  | { readonly kind: 'damaged'; readonly reason: string };

/** Parses one line of a log. */
export function parseRecord(line: string): ParsedRecord {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { kind: 'damaged', reason: 'it is not JSON' };
  }
  if (!hasFields(value) || typeof value['type'] !== 'string' || typeof value['at'] !== 'string') {
    return { kind: 'damaged', reason: 'it has no type or no time' };
  }
  const { at, type } = value;
  if (!recordTypes().has(type)) return { kind: 'unknown', type };
  if (Number.isNaN(Date.parse(at))) return { kind: 'damaged', reason: 'its time is none' };
  const { parts } = value;
  // Nine of ten records are deltas, so they are checked without the schema, which would refuse and accept the same.
  if (type === 'delta' && isParts(parts)) return { kind: 'record', record: { type, parts, at } };
  const body = bodies().safeParse(value);
  if (body.success) return { kind: 'record', record: Object.assign(body.data, { at }) };
  const [issue] = body.error.issues;
  return { kind: 'damaged', reason: `"${issue?.path.join('.')}" of ${type}: ${issue?.message}` };
}
