import { BasePlugin, type LlmRequest, type LlmResponse } from '@google/adk';
import type { FunctionCallingConfigMode, GenerateContentConfig, Part } from '@google/genai';
import type { ToolConfig } from '../../hooks/aggregate.ts';
import type { HookSystem } from '../../hooks/hook-system.ts';
import { type HookLlmRequest, toHookRequest, toHookResponse, withHookRequest } from '../../hooks/llm-exchange.ts';
import type { Logger } from '../../ports/logger.ts';
import { BLOCKED_BY_HOOK, STOPPED_BY_HOOK } from '../../protocol/transcript/notes.ts';
import type { RunEnd } from '../events/stoppable-run.ts';
import { STANDS_FOR_SETTINGS } from '../request/agent-model.ts';
import { statusIn } from '../request/call-status.ts';

/** What hooks can do to the current run. */
export interface HookEffects {
  /** The model of the request. */
  model(): string;
  /** Ends the run. The model's text so far is kept. */
  end(end: RunEnd): void;
  /** Tells the user that a hook blocked the agent. */
  blocked(reason: string): void;
  /** Shows text as the model's answer. */
  say(parts: Part[]): void;
}

type ModelCallback = Parameters<BasePlugin['beforeModelCallback']>[0];
type AnswerCallback = Parameters<BasePlugin['afterModelCallback']>[0];

/**
 * Fires the hooks around a model request. BeforeToolSelection fires after BeforeModel, with the request that
 * BeforeModel left: ADK's own callback for it comes before there is a request to pass (docs/adk.md). Nothing here
 * throws, because a throwing plugin breaks the run.
 */
export class HookBridgePlugin extends BasePlugin {
  private request: HookLlmRequest = { model: '', messages: [], config: {} };
  private answer = new HookedAnswer();

  constructor(
    private readonly hooks: HookSystem,
    private readonly effects: HookEffects,
    private readonly log: Logger,
  ) {
    super('gantry_hooks');
  }

  override async beforeModelCallback({ callbackContext, llmRequest }: ModelCallback): Promise<LlmResponse | undefined> {
    const { hooks } = this;
    if (!MODEL_EVENTS.some((event) => hooks.has(event))) return undefined;
    const signal = callbackContext.abortSignal ?? NEVER;
    this.answer = new HookedAnswer();
    return this.guarded(async () => {
      const answer = hooks.has('BeforeModel') ? await this.beforeModel(llmRequest, signal) : undefined;
      this.request = this.hookRequest(llmRequest);
      if (answer || signal.aborted || !hooks.has('BeforeToolSelection')) return answer;
      const selection = await hooks.beforeToolSelection(this.request, signal);
      if (selection) llmRequest.config = selectTools(llmRequest.config, selection);
      return undefined;
    });
  }

  /**
   * Called for each piece of the answer, and again at its end, before its calls run. Text that a hook replaces is also
   * replaced in the stored answer, so that the user and later requests see the same text.
   */
  override async afterModelCallback({
    callbackContext,
    llmResponse,
  }: AnswerCallback): Promise<LlmResponse | undefined> {
    const news = statusIn(llmResponse);
    if (news?.type === 'retracted') this.answer = new HookedAnswer();
    if (news || !this.hooks.has('AfterModel') || llmResponse.errorCode) return undefined;
    const signal = callbackContext.abortSignal ?? NEVER;
    return this.guarded(() => this.afterModel(llmResponse, signal));
  }

  private async beforeModel(llmRequest: LlmRequest, signal: AbortSignal): Promise<LlmResponse | undefined> {
    const base = this.exchangeRequest(llmRequest);
    const outcome = await this.hooks.beforeModel(toHookRequest(base), signal);
    if (outcome.kind === 'stop') this.effects.end(stoppedBy(outcome.reason));
    if (outcome.kind === 'deny') return this.instead(outcome.reason, outcome.texts);
    if (outcome.kind !== 'go' || outcome.request === undefined) return undefined;
    const changed = withHookRequest(base, outcome.request);
    llmRequest.contents = [...changed.contents];
    llmRequest.config = changed.config;
    if (changed.model !== base.model) llmRequest.model = changed.model;
    return undefined;
  }

  private instead(reason: string, texts: readonly string[] | undefined): LlmResponse | undefined {
    this.effects.blocked(reason);
    const parts = (texts ?? []).filter((text) => text !== '').map((text): Part => ({ text }));
    if (parts.length === 0) {
      this.effects.end(BLOCKED);
      return undefined;
    }
    this.effects.say(parts);
    return { content: { role: 'model', parts }, turnComplete: true };
  }

  private async afterModel(response: LlmResponse, signal: AbortSignal): Promise<LlmResponse | undefined> {
    const { parts = [] } = response.content ?? {};
    const { finishReason, usageMetadata: usage } = response;
    // The last response repeats all the text, which hooks have already received.
    const chunk = response.partial ? { parts } : { parts: [], finishReason, usage };
    const exchange = { request: this.request, response: toHookResponse(chunk) };
    const outcome = await this.hooks.afterModel(exchange, signal);
    if (outcome.kind === 'go') return this.answered(response, outcome.texts);
    if (outcome.kind === 'deny') this.effects.blocked(outcome.reason);
    this.effects.end(outcome.kind === 'deny' ? BLOCKED : stoppedBy(outcome.reason));
    return undefined;
  }

  private answered(response: LlmResponse, texts: readonly string[] | undefined): LlmResponse | undefined {
    if (response.partial) return this.answer.piece(response, texts);
    const added = this.answer.added(texts);
    if (added.length > 0) this.effects.say(added);
    return this.answer.whole(response);
  }

  private hookRequest(llmRequest: LlmRequest): HookLlmRequest {
    return toHookRequest(this.exchangeRequest(llmRequest));
  }

  private exchangeRequest({ model, contents, config = {} }: LlmRequest): Parameters<typeof toHookRequest>[0] {
    const named = model === undefined || model === STANDS_FOR_SETTINGS ? this.effects.model() : model;
    return { model: named, contents, config };
  }

  private async guarded<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.log.error('Hooks around a model request failed', error);
      return undefined;
    }
  }
}

export const BLOCKED: RunEnd = { reason: 'completed', data: { code: BLOCKED_BY_HOOK } };

export function stoppedBy(reason: string): RunEnd {
  return { reason: 'completed', data: { code: STOPPED_BY_HOOK, message: reason } };
}

const MODEL_EVENTS = ['BeforeModel', 'BeforeToolSelection', 'AfterModel'] as const;
const NEVER = new AbortController().signal;

/**
 * Applies the hooks' choice of tools to a request. The API rejects names in the mode AUTO, so there the other tools are
 * omitted instead. Names are only sent in the mode ANY.
 */
function selectTools(config: GenerateContentConfig = {}, selection: ToolConfig): GenerateContentConfig {
  const { mode, allowedFunctionNames } = selection;
  const named = mode === 'ANY' && allowedFunctionNames.length > 0;
  const functionCallingConfig = {
    mode: mode as FunctionCallingConfigMode,
    ...(named && { allowedFunctionNames: [...allowedFunctionNames] }),
  };
  const chosen = { ...config, toolConfig: { ...config.toolConfig, functionCallingConfig } };
  if (mode !== 'AUTO' || allowedFunctionNames.length === 0 || !config.tools) return chosen;
  const allowed = new Set<string | undefined>(allowedFunctionNames);
  return {
    ...chosen,
    tools: config.tools.map((tool) => onlyNamed(tool, allowed)).filter((tool) => tool !== undefined),
  };
}

type AnyTool = NonNullable<GenerateContentConfig['tools']>[number];

function onlyNamed(tool: AnyTool, allowed: ReadonlySet<string | undefined>): AnyTool | undefined {
  if (!('functionDeclarations' in tool) || !tool.functionDeclarations) return tool;
  const { functionDeclarations, ...others } = tool;
  const kept = functionDeclarations.filter(({ name }) => allowed.has(name));
  if (kept.length > 0) return { ...others, functionDeclarations: kept };
  return Object.keys(others).length > 0 ? others : undefined;
}

/** One answer of the model, with the changes that hooks made. */
class HookedAnswer {
  private readonly words: Part[] = [];
  private changed = false;

  /** A piece to show instead; undefined if hooks did not change it. */
  piece(response: LlmResponse, texts: readonly string[] | undefined): LlmResponse | undefined {
    const { parts = [] } = response.content ?? {};
    if (!texts) {
      for (const part of parts) this.keep(part);
      return undefined;
    }
    // A thought stays a thought, whatever its new text is.
    const isThought = parts.every(({ thought }) => thought);
    return { ...response, content: { role: 'model', parts: this.replaced(texts, isThought) } };
  }

  /** Text that a hook appends to the answer. */
  added(texts: readonly string[] | undefined): Part[] {
    return texts ? this.replaced(texts, false) : [];
  }

  /** The complete answer with the text that was shown; undefined if hooks changed nothing. */
  whole(response: LlmResponse): LlmResponse | undefined {
    if (!this.changed) return undefined;
    const rest = (response.content?.parts ?? []).filter(({ text }) => !text);
    return { ...response, content: { role: 'model', parts: [...this.words, ...rest] } };
  }

  private replaced(texts: readonly string[], isThought: boolean): Part[] {
    this.changed = true;
    const parts = texts.filter((text) => text !== '').map((text) => ({ text, ...(isThought && { thought: true }) }));
    for (const part of parts) this.keep(part);
    return parts;
  }

  private keep({ text = '', thought = false }: Part): void {
    const last = this.words.at(-1);
    if (last && Boolean(last.thought) === thought) last.text = `${last.text}${text}`;
    else if (text !== '') this.words.push({ text, ...(thought && { thought }) });
  }
}
