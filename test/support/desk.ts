import { z } from 'zod';
import type { RuleDraft } from '../../extension/policy/policy-types.ts';
import type { Tool, ToolResult } from '../../extension/ports/tool.ts';
import type { AnswerLimit } from '../../extension/scheduler/answer-limit.ts';
import { CallReview } from '../../extension/scheduler/call-review.ts';
import { CallStates } from '../../extension/scheduler/call-states.ts';
import { ConfirmationBroker, type Question } from '../../extension/scheduler/confirmation-broker.ts';
import {
  NO_HOOKS,
  NO_SECRETS,
  type OfferedGrant,
  type SecretsPort,
  type ToolHooks,
} from '../../extension/scheduler/review-ports.ts';
import { type FinishedCall, Scheduler } from '../../extension/scheduler/scheduler.ts';
import type { Ruling, ToolCall } from '../../extension/scheduler/tool-call.ts';
import { ToolRegistry } from '../../extension/tools/registry.ts';
import { createToolContext } from './tool-context.ts';

export interface Desk {
  readonly scheduler: Scheduler;
  readonly broker: ConfirmationBroker;
  readonly review: CallReview;
  /** The events in order: started, asked, answered, finished. */
  readonly story: string[];
  readonly questions: { readonly requestId: string; readonly question: Question }[];
  readonly sessionRules: RuleDraft[];
  readonly savedRules: { readonly rule: RuleDraft; readonly scope: string }[];
  readonly stop: AbortController;
  /** Submits a batch and returns the results of all its calls. */
  run(...calls: readonly ToolCall[]): Promise<FinishedCall[]>;
  submit(...calls: readonly ToolCall[]): Promise<FinishedCall>[];
  /** Resolves when this many questions have been asked. */
  asked(count: number): Promise<void>;
  answer(callId: string, content: Readonly<Record<string, unknown>> | undefined): void;
}

export interface DeskOptions {
  readonly decide?: (call: ToolCall, tool: Tool) => Ruling;
  readonly gateOn?: (path: string) => Ruling | undefined;
  readonly hooks?: Partial<ToolHooks>;
  readonly secrets?: SecretsPort;
  readonly interactive?: boolean;
  readonly limit?: AnswerLimit;
  readonly grants?: readonly OfferedGrant[];
  readonly gate?: (tool: Tool) => string | undefined;
  readonly saveOutput?: (text: string) => string | undefined;
}

/** A scheduler with real surroundings, except for the rules, which a test provides. */
export function desk(tools: readonly Tool[], options: DeskOptions = {}): Desk {
  const {
    gateOn = () => undefined,
    decide = byKind,
    interactive = true,
    grants = [],
    gate = () => undefined,
  } = options;
  const story: string[] = [];
  const questions: Desk['questions'] = [];
  const sessionRules: RuleDraft[] = [];
  const savedRules: { rule: RuleDraft; scope: string }[] = [];
  const stop = new AbortController();
  const waiting: { readonly count: number; readonly reached: () => void }[] = [];
  const broker = new ConfirmationBroker(
    {
      asked: (requestId, question) => {
        story.push(`asked ${question.callId}`);
        questions.push({ requestId, question });
        for (const { count, reached } of waiting) if (questions.length >= count) reached();
      },
      answered: ({ requestId, action }) => story.push(`${action} ${callOf(requestId)}`),
    },
    () => `q${questions.length + 1}`,
    options.limit,
  );
  const callOf = (requestId: string): string =>
    questions.find((other) => other.requestId === requestId)?.question.callId ?? requestId;
  const hooks = { ...NO_HOOKS, ...options.hooks };
  const review = new CallReview({
    secrets: options.secrets ?? NO_SECRETS,
    policy: {
      decide: (call, tool) => Promise.resolve(decide(call, tool)),
      gateOn: (paths) => Promise.resolve(paths.map((path) => gateOn(path)).find((gate) => gate !== undefined)),
      grantsFor: () => Promise.resolve(grants),
      allowForSession: (rules) => void sessionRules.push(...rules),
      remember: (rules, scope) => {
        savedRules.push(...rules.map((rule) => ({ rule, scope })));
        return Promise.resolve();
      },
    },
    hooks,
    broker,
    interactive,
    describe: ({ id }) => id,
    contextOf: (call, signal) => createToolContext([], { callId: call.id, signal }),
    granted: () => void scheduler.releaseAllowed(),
    audit: { decided: () => undefined, answered: () => undefined },
  });
  const context = createToolContext([]);
  const scheduler = new Scheduler({
    registry: new ToolRegistry(tools),
    review,
    states: new CallStates({ now: () => performance.now() }),
    gate: (tool) => {
      const why = gate(tool);
      return Promise.resolve(why === undefined ? undefined : { why, shown: why });
    },
    body: {
      log: { debug: () => {}, info: () => {}, warn: () => {}, error: (message) => story.push(`log: ${message}`) },
      hooks,
      workspace: () => context.workspace,
      session: () => context.session,
      contextOf: (call, signal) => createToolContext([], { callId: call.id, signal }),
      synced: () => Promise.resolve(),
      saveOutput: (_, text) => Promise.resolve(options.saveOutput?.(text)),
    },
    observer: {
      onUpdate: () => undefined,
      onStarted: ({ id }) => story.push(`started ${id}`),
      onFinished: ({ call, state }) => story.push(`${state} ${call.id}`),
    },
  });
  const submit = (...calls: readonly ToolCall[]): Promise<FinishedCall>[] => {
    scheduler.submit(calls, stop.signal);
    return calls.map(({ id }) => scheduler.join(id) ?? Promise.reject(new Error(`${id} was not submitted`)));
  };
  return {
    scheduler,
    broker,
    review,
    story,
    questions,
    sessionRules,
    savedRules,
    stop,
    submit,
    run: (...calls) => Promise.all(submit(...calls)),
    asked: (count) =>
      questions.length >= count
        ? Promise.resolve()
        : new Promise((reached) => {
            waiting.push({ count, reached });
          }),
    answer: (callId, content) => {
      const requestId = questions.find(({ question }) => question.callId === callId)?.requestId ?? '';
      const given = content ? { action: 'accept' as const, content } : { action: 'decline' as const, content: {} };
      broker.answer([{ requestId, ...given }], 'test');
    },
  };
}

function byKind(_call: ToolCall, { kind }: Tool): Ruling {
  return kind === 'edit' ? { decision: 'ask_user', why: 'Edits ask.' } : { decision: 'allow', why: 'It only looks.' };
}

/** A tool that accepts any arguments. */
export function anyTool(name: string, kind: Tool['kind'], execute: Tool['execute'], more: Partial<Tool> = {}): Tool {
  return {
    name,
    displayName: name,
    kind,
    description: name,
    schema: z.looseObject({}),
    describe: () => name,
    execute,
    ...more,
  };
}

export function call(id: string, name: string, args: ToolCall['args'] = {}): ToolCall {
  return { id, name, args };
}

export function said(text: string): Promise<ToolResult> {
  return Promise.resolve({ content: text });
}
