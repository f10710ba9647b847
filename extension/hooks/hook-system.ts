import * as l10n from '@vscode/l10n';
import { isObject } from '../base/objects.ts';
import { type Combined, combine, type ToolConfig } from './aggregate.ts';
import type { HookCatalog } from './hook-catalog.ts';
import {
  type AgentTurn,
  type HookedCall,
  type HookSession,
  hookInput,
  type ModelExchange,
  type ToolResponse,
  toolFields,
  turnFields,
} from './hook-input.ts';
import { shortened } from './hook-output.ts';
import {
  type COMPRESSIONS,
  type CommandHook,
  type HookEvent,
  type HookInput,
  type HookOutput,
  type HookResult,
  hookName,
  type SESSION_ENDS,
  type SESSION_STARTS,
} from './hook-types.ts';
import { type HookLlmRequest, textsOfHookResponse } from './llm-exchange.ts';
import { type HookOccasion, type HookPlan, planHooks } from './plan-hooks.ts';
import { type HookRun, runHook } from './run-hook.ts';

/** Receives everything that hooks add to a conversation, and reports of failed hooks. */
export interface HookObserver {
  /** Text that reaches the model. */
  onContext(added: HookText): void;
  /** Text that a hook has for the user. */
  onMessage(said: HookText): void;
  onFailure(text: string): void;
  /** All hooks for an event have run. Times are in milliseconds. Absent if nobody wants to know. */
  onFired?(fired: FiredHooks): void;
}

export interface FiredHooks {
  readonly event: HookEvent;
  readonly count: number;
  readonly outcome: 'go' | 'deny' | 'stop' | 'failed';
  readonly from: number;
  readonly to: number;
}

export interface HookText {
  readonly event: HookEvent;
  readonly hook: string;
  readonly text: string;
}

/** The hooks of one session: one method for each event. None of them ever rejects. */
export class HookSystem {
  private readonly complained = new Set<string>();

  constructor(
    private readonly catalog: Pick<HookCatalog, 'groups'> & Partial<Pick<HookCatalog, 'isAsApproved'>>,
    private readonly session: HookSession,
    private readonly observer: HookObserver,
  ) {}

  /** Whether there is any hook for the event, so that firing it can be skipped. */
  has(event: HookEvent): boolean {
    return this.catalog.groups.some((group) => group.event === event);
  }

  /**
   * A hook that gave no answer (too slow, not started, killed) does not count as approval: the user decides, and
   * without a user the call is refused.
   */
  async beforeTool(call: HookedCall, signal: AbortSignal): Promise<BeforeToolOutcome> {
    const fired = await this.fire('BeforeTool', toolFields(call), signal, { toolName: call.name });
    if (!fired) return GO;
    const { combined, results } = fired;
    const refusal = refusalOf(combined);
    if (refusal) return refusal;
    const open = results.flatMap(({ failure }) => (failure && LEAVES_OPEN.has(failure.kind) ? failure.text : []));
    const asked = combined.decision === 'ask' ? [combined.systemMessage ?? combined.reason ?? ''] : [];
    const { tool_input: args } = combined.specific;
    return {
      kind: 'go',
      ...(isObject(args) && { args }),
      ...(asked.length + open.length > 0 && { ask: labelled([...asked, ...open].join('\n'), results) }),
    };
  }

  async afterTool(call: HookedCall, response: ToolResponse, signal: AbortSignal): Promise<AfterToolOutcome> {
    const fields = { ...toolFields(call), tool_response: response };
    const fired = await this.fire('AfterTool', fields, signal, { toolName: call.name });
    if (!fired) return GO;
    const { combined } = fired;
    const tail = tailOf(combined.specific['tailToolCallRequest']);
    return refusalOf(combined) ?? { kind: 'go', ...contextOf(combined), ...(tail && { tail }) };
  }

  async beforeAgent(prompt: string, signal: AbortSignal): Promise<BeforeAgentOutcome> {
    const fired = await this.fire('BeforeAgent', { prompt }, signal);
    if (!fired) return GO;
    return refusalOf(fired.combined) ?? { kind: 'go', ...contextOf(fired.combined) };
  }

  async afterAgent(turn: AgentTurn, signal: AbortSignal): Promise<AfterAgentOutcome> {
    const fired = await this.fire('AfterAgent', turnFields(turn), signal);
    if (!fired) return { kind: 'go', clearContext: false };
    const { clearContext } = fired.combined;
    return { ...(refusalOf(fired.combined) ?? GO), clearContext };
  }

  async beforeModel(request: HookLlmRequest, signal: AbortSignal): Promise<BeforeModelOutcome> {
    const fired = await this.fire('BeforeModel', { llm_request: request }, signal);
    if (!fired) return GO;
    const { llm_request: changed, llm_response: answer } = fired.combined.specific;
    const refusal = refusalOf(fired.combined);
    if (!refusal) return { kind: 'go', ...(isObject(changed) && { request: changed }) };
    const texts = textsOfHookResponse(answer);
    return refusal.kind === 'deny' && texts ? { ...refusal, texts } : refusal;
  }

  async afterModel(exchange: ModelExchange, signal: AbortSignal): Promise<AfterModelOutcome> {
    const fields = { llm_request: exchange.request, llm_response: exchange.response };
    const fired = await this.fire('AfterModel', fields, signal);
    if (!fired) return GO;
    const texts = textsOfHookResponse(fired.combined.specific['llm_response']);
    return refusalOf(fired.combined) ?? { kind: 'go', ...(texts && { texts }) };
  }

  /** Returns undefined to keep the tools as they are. A hook for this event can't refuse anything. */
  async beforeToolSelection(request: HookLlmRequest, signal: AbortSignal): Promise<ToolSelection> {
    const fired = await this.fire('BeforeToolSelection', { llm_request: request }, signal);
    if (!fired?.results.some(({ output }) => isObject(output?.hookSpecificOutput?.['toolConfig']))) return undefined;
    return fired.combined.toolConfig;
  }

  /** Returns the context that the hooks add, if any. */
  async sessionStart(source: (typeof SESSION_STARTS)[number], signal: AbortSignal): Promise<string | undefined> {
    const fired = await this.fire('SessionStart', { source }, signal, { trigger: source });
    return fired && contextOf(fired.combined).context;
  }

  async sessionEnd(reason: (typeof SESSION_ENDS)[number], signal: AbortSignal): Promise<void> {
    await this.fire('SessionEnd', { reason }, signal, { trigger: reason, limitMs: GOODBYE_MS });
  }

  /** Fires before the user is asked. */
  async notification(message: string, details: unknown, signal: AbortSignal): Promise<void> {
    await this.fire('Notification', { notification_type: 'ToolPermission', message, details }, signal);
  }

  /** Fires only if the conversation will really be compressed. */
  async preCompress(trigger: (typeof COMPRESSIONS)[number], signal: AbortSignal): Promise<void> {
    await this.fire('PreCompress', { trigger }, signal, { trigger });
  }

  private async fire(
    event: HookEvent,
    fields: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    occasion: HookOccasion & { readonly limitMs?: number } = {},
  ): Promise<{ readonly combined: Combined; readonly results: readonly HookResult[] } | undefined> {
    const plan = planHooks(this.catalog.groups, event, occasion);
    if (!plan || signal.aborted) return undefined;
    const { environment, confine, now } = this.session;
    const from = now();
    const { limitMs = Number.POSITIVE_INFINITY } = occasion;
    const input = hookInput(this.session, event, fields);
    const isAsApproved = async (hook: CommandHook): Promise<boolean> =>
      (await this.catalog.isAsApproved?.(hook)) ?? true;
    const results = await runPlan(plan, input, {
      place: this.session,
      environment,
      signal,
      limitMs,
      isAsApproved,
      confine,
    });
    for (const result of results) this.report(event, result);
    const combined = combine(outputsOf(results));
    this.observer.onFired?.({ event, count: results.length, outcome: outcomeOf(combined, results), from, to: now() });
    return { combined, results };
  }

  private report(event: HookEvent, { hook, output, failure }: HookResult): void {
    const name = hookName(hook);
    const context = output?.hookSpecificOutput?.['additionalContext'];
    if (ADDS_CONTEXT.has(event) && typeof context === 'string' && context !== '') {
      this.observer.onContext({ event, hook: name, text: shortened(context) });
    }
    const { systemMessage, suppressOutput } = output ?? {};
    if (systemMessage && !suppressOutput) this.observer.onMessage({ event, hook: name, text: systemMessage });
    // Report it once, because a broken hook fails at every piece of every answer. A stopped hook is not broken.
    if (!failure || failure.kind === 'stopped' || output || this.complained.has(failure.text)) return;
    this.complained.add(failure.text);
    this.observer.onFailure(failure.text);
  }
}

const GO = { kind: 'go' } as const;
const NO_REASON = 'No reason was given.';
const LEAVES_OPEN: ReadonlySet<string> = new Set(['timeout', 'not_started', 'killed', 'too_much']);
const ADDS_CONTEXT: ReadonlySet<HookEvent> = new Set(['AfterTool', 'BeforeAgent', 'SessionStart']);
/** VS Code gives an extension five seconds to shut down. */
const GOODBYE_MS = 4000;

function outputsOf(results: readonly HookResult[]): NonNullable<HookResult['output']>[] {
  return results.flatMap(({ output }) => output ?? []);
}

function outcomeOf(combined: Combined, results: readonly HookResult[]): FiredHooks['outcome'] {
  const refusal = refusalOf(combined);
  if (refusal) return refusal.kind;
  return results.some(({ failure }) => failure) ? 'failed' : 'go';
}

/** Adds the names of the extensions whose hooks ask the user. */
function labelled(text: string, results: readonly HookResult[]): string {
  const names = results.flatMap(({ hook, output, failure }) => {
    const isOpen = output?.decision === 'ask' || (failure !== undefined && LEAVES_OPEN.has(failure.kind));
    return isOpen && hook.type === 'command' ? (hook.extension ?? []) : [];
  });
  const whose = [...new Set(names)].map((name) => l10n.t('extension {0}', name)).join(', ');
  return whose === '' ? text : `${text} (${whose})`.trimStart();
}

function refusalOf({ stop, decision, stopReason, reason }: Combined): Refusal | undefined {
  if (!stop && decision !== 'deny') return undefined;
  return { kind: stop ? 'stop' : 'deny', reason: (stop ? stopReason : undefined) ?? reason ?? NO_REASON };
}

/** A hook may quote anything, so its text must not close the tags around it. */
function contextOf({ additionalContext }: Combined): { readonly context?: string } {
  if (additionalContext === undefined) return {};
  return { context: shortened(additionalContext).replaceAll('<', '&lt;').replaceAll('>', '&gt;') };
}

function tailOf(value: unknown): { name: string; args: Readonly<Record<string, unknown>> } | undefined {
  if (!isObject(value)) return undefined;
  const { name, args = {} } = value;
  return typeof name === 'string' && isObject(args) ? { name, args } : undefined;
}

/** Runs the hooks of a plan: in parallel, or one after the other with the changes of the earlier ones. */
export async function runPlan({ hooks, sequential }: HookPlan, input: HookInput, run: HookRun): Promise<HookResult[]> {
  if (!sequential) return Promise.all(hooks.map((hook) => runHook(hook, input, run)));
  const results: HookResult[] = [];
  let current = input;
  for (const hook of hooks) {
    const result = await runHook(hook, current, run);
    results.push(result);
    if (result.success && result.output) current = passedOn(current, result.output);
  }
  return results;
}

/** The input of the next hook, with the changes of this one. */
function passedOn(input: HookInput, { hookSpecificOutput = {} }: HookOutput): HookInput {
  const { additionalContext, tool_input, llm_request } = hookSpecificOutput;
  switch (input.hook_event_name) {
    case 'BeforeAgent':
      if (typeof additionalContext !== 'string') return input;
      return { ...input, prompt: `${input['prompt']}\n\n${additionalContext}` };
    case 'BeforeTool':
      return withFields(input, 'tool_input', tool_input);
    case 'BeforeModel':
      return withFields(input, 'llm_request', llm_request);
    default:
      return input;
  }
}

function withFields(input: HookInput, field: string, changes: unknown): HookInput {
  const before = input[field];
  return isObject(changes) ? { ...input, [field]: { ...(isObject(before) && before), ...changes } } : input;
}

/** The outcome of hooks for each event. */

type BeforeToolOutcome =
  | { readonly kind: 'go'; readonly args?: Readonly<Record<string, unknown>>; readonly ask?: string }
  | Refusal;

type AfterToolOutcome =
  | {
      readonly kind: 'go';
      /** Escaped, so that it can be enclosed in tags. */
      readonly context?: string;
      readonly tail?: { readonly name: string; readonly args: Readonly<Record<string, unknown>> };
    }
  | Refusal;

type BeforeAgentOutcome = { readonly kind: 'go'; readonly context?: string } | Refusal;

type AfterAgentOutcome = ({ readonly kind: 'go' } | Refusal) & {
  /** The conversation so far is no longer sent to the model. */
  readonly clearContext: boolean;
};

type BeforeModelOutcome =
  /** `request` contains only the fields that the hook changes. */
  | { readonly kind: 'go'; readonly request?: unknown }
  /** `texts` replace the model's answer. */
  | { readonly kind: 'deny'; readonly reason: string; readonly texts?: readonly string[] }
  | { readonly kind: 'stop'; readonly reason: string };

type AfterModelOutcome =
  /** `texts` replace the texts of this part. */
  { readonly kind: 'go'; readonly texts?: readonly string[] } | Refusal;

type ToolSelection = ToolConfig | undefined;

type Refusal =
  | { readonly kind: 'deny'; readonly reason: string }
  /** The run ends. */
  | { readonly kind: 'stop'; readonly reason: string };
