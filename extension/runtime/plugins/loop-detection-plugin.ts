import { BasePlugin, type Event, getFunctionCalls, getFunctionResponses, type LlmResponse } from '@google/adk';
import { CallCycles } from '../../context/loops/call-cycles.ts';
import { callLoop, checkedLoop, type Loop, wordsLoop } from '../../context/loops/loop.ts';
import type { LoopCheck } from '../../context/loops/loop-check.ts';
import { RepeatedText } from '../../context/loops/repeated-text.ts';
import type { Logger } from '../../ports/logger.ts';
import type { FinishedCall, Scheduler } from '../../scheduler/scheduler.ts';
import { isNotice } from '../../sessions/notices.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import { wordsOf } from '../hooks/run-hooks.ts';
import { outgoingContents } from '../request/outgoing-contents.ts';
import { functionResponse } from '../request/to-adk-tool.ts';

export interface LoopDetectionParts {
  readonly isOn: () => boolean;
  readonly scheduler: Pick<Scheduler, 'join'>;
  readonly registry: Pick<ToolRegistry, 'get'>;
  /** Undefined if no other model can be asked. */
  readonly check?: LoopCheck;
  readonly log: Logger;
}

export interface FoundLoop extends Loop {
  /** Whether an earlier loop was found since the user's last message, so that the notice for the model did not help. */
  readonly stops: boolean;
  /** The number of characters at the end of the model's text that only repeat the text before them. */
  readonly surplus: number;
}

type ModelCallback = Parameters<BasePlugin['beforeModelCallback']>[0];

/**
 * Detects a looping model during a run. `AgentRun` has it read each event, and notifies the model or ends the run if it
 * has found a loop. It is a plugin to have another model check the requests. Nothing here throws, because a throwing
 * plugin breaks the run.
 */
export class LoopDetectionPlugin extends BasePlugin {
  private readonly cycles = new CallCycles();
  private readonly words = new RepeatedText();
  private prompt = '';
  private times = 0;
  private loop: Omit<FoundLoop, 'stops'> | undefined;
  private cutOff: () => void = () => undefined;

  constructor(private readonly parts: LoopDetectionParts) {
    super('gantry_loop_detection');
  }

  /** Starts over, because the user sent a message or asked the agent to continue. */
  begin(prompt: string): void {
    this.prompt = prompt;
    this.times = 0;
    this.parts.check?.clear();
    this.forget();
  }

  /** Ends what still happens beside the run, because the run is over. */
  end(): void {
    this.parts.check?.cancel();
  }

  /** `cutOff` stops ADK's current work. */
  watch(cutOff: () => void): void {
    this.cutOff = cutOff;
  }

  /** If true, the calls that the model has just made must not run. */
  get hasFound(): boolean {
    return this.loop !== undefined;
  }

  /** Returns the detected loop and starts over, so that earlier calls and text do not count again. */
  take(): FoundLoop | undefined {
    const { loop } = this;
    if (!loop) return undefined;
    this.times++;
    this.forget();
    return { ...loop, stops: this.times > 1 };
  }

  /** Looks at an event of the run, before its calls are submitted or its text is shown. */
  read(event: Event): Promise<void> {
    return this.guarded(() => this.look(event));
  }

  /**
   * Has another model check the contents of the request, beside the conversation. A loop that it finds counts before
   * the next request after its answer.
   */
  override async beforeModelCallback({ callbackContext, llmRequest }: ModelCallback): Promise<LlmResponse | undefined> {
    const { check, isOn } = this.parts;
    if (!check || !isOn()) return undefined;
    const signal = callbackContext.abortSignal ?? NEVER;
    // A hook refused the request, so nothing of it may be sent to another model either.
    if (signal.aborted) return undefined;
    await this.guarded(() => {
      const analysis = check.beforeRequest(this.prompt, () => outgoingContents(llmRequest.contents), signal);
      if (analysis === undefined) return;
      this.loop = { ...checkedLoop(analysis), surplus: 0 };
      this.cutOff();
    });
    return undefined;
  }

  private async look(event: Event): Promise<void> {
    if (event.author === 'user' && !isNotice(event)) return this.begin(wordsOf(event));
    if (!this.parts.isOn() || this.loop) return;
    if (event.partial) return this.readWords(wordsOf(event));
    // An answer ends here. The text of the next answer is only compared with itself.
    this.words.clear();
    for (const { id = '', name = '', args = {} } of getFunctionCalls(event)) {
      if (this.cycles.add({ id, name, args })) this.loop ??= { ...callLoop(name, args), surplus: 0 };
    }
    for (const { id = '' } of getFunctionResponses(event)) await this.readOutcome(id);
  }

  private readWords(text: string): void {
    const found = this.words.add(text);
    if (!found) return;
    // This text is not shown, so it does not count toward the surplus of the text that was shown.
    this.loop = { ...wordsLoop(found.sample), surplus: Math.max(0, found.length - text.length) };
    this.cutOff();
  }

  private async readOutcome(id: string): Promise<void> {
    const finished = await this.parts.scheduler.join(id);
    if (!finished) return;
    const { call, result } = finished;
    const waits = this.parts.registry.get(call.name)?.isWaiting?.(call.args, result) ?? false;
    this.cycles.finished(id, { text: outcomeText(finished), waits });
  }

  private forget(): void {
    this.loop = undefined;
    this.cycles.clear();
    this.words.clear();
    // A check that is under way judges the conversation before this point.
    this.parts.check?.cancel();
  }

  private async guarded(work: () => void | Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.parts.log.error('Looking for loops failed', error);
    }
  }
}

/** The result as the model gets it, without ids of processes and calls, which differ even if nothing has changed. */
function outcomeText(finished: FinishedCall): string {
  const { call, result } = finished;
  const text = JSON.stringify(functionResponse(finished)).replaceAll(call.id, '');
  const pid = result.data?.['pid'];
  return typeof pid === 'number' ? text.replace(new RegExp(`\\b${pid}\\b`, 'g'), '') : text;
}

const NEVER = new AbortController().signal;
