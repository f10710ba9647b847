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
  /** Absent where no other model can be asked. */
  readonly check?: LoopCheck;
  readonly log: Logger;
}

export interface FoundLoop extends Loop {
  /** It is not the first since the user said something: telling the model did not help. */
  readonly stops: boolean;
  /** How many characters at the end of what was said only repeat what stands before them. */
  readonly surplus: number;
}

type EventCallback = Parameters<BasePlugin['onEventCallback']>[0];
type ModelCallback = Parameters<BasePlugin['beforeModelCallback']>[0];

/**
 * Watches a run for a model that goes in circles. Calls are judged before anybody submits them, and words before they are
 * shown: what is found waits for `AgentRun`, which tells the model or ends the run. Nothing here throws, because a
 * throwing plugin breaks the run.
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

  /** The user said something, or wants the agent to continue: nothing from before counts. */
  begin(prompt: string): void {
    this.prompt = prompt;
    this.times = 0;
    this.parts.check?.clear();
    this.forget();
  }

  /** `cutOff` ends what ADK does at this moment. */
  watch(cutOff: () => void): void {
    this.cutOff = cutOff;
  }

  /** Calls that the model has just made must not run. */
  get hasFound(): boolean {
    return this.loop !== undefined;
  }

  /** Hands over what was found. The model gets a fresh start: what came before does not count a second time. */
  take(): FoundLoop | undefined {
    const { loop } = this;
    if (!loop) return undefined;
    this.times++;
    this.forget();
    return { ...loop, stops: this.times > 1 };
  }

  override async onEventCallback({ event }: EventCallback): Promise<Event | undefined> {
    await this.guarded(() => this.read(event));
    return undefined;
  }

  /** What the model would be sent is what another one judges. */
  override async beforeModelCallback({ callbackContext, llmRequest }: ModelCallback): Promise<LlmResponse | undefined> {
    const { check, isOn } = this.parts;
    if (!check || !isOn()) return undefined;
    const signal = callbackContext.abortSignal ?? NEVER;
    // A hook refused the request: nothing of it leaves.
    if (signal.aborted) return undefined;
    await this.guarded(async () => {
      const analysis = await check.beforeRequest(this.prompt, () => outgoingContents(llmRequest.contents), signal);
      if (analysis === undefined || signal.aborted) return;
      this.loop = { ...checkedLoop(analysis), surplus: 0 };
      this.cutOff();
    });
    return undefined;
  }

  private async read(event: Event): Promise<void> {
    if (event.author === 'user' && !isNotice(event)) return this.begin(wordsOf(event));
    if (!this.parts.isOn() || this.loop) return;
    if (event.partial) return this.readWords(wordsOf(event));
    // One answer ends here: what the next one says is compared with itself alone.
    this.words.clear();
    for (const { id = '', name = '', args = {} } of getFunctionCalls(event)) {
      if (this.cycles.add({ id, name, args })) this.loop ??= { ...callLoop(name, args), surplus: 0 };
    }
    for (const { id = '' } of getFunctionResponses(event)) await this.readOutcome(id);
  }

  private readWords(text: string): void {
    const found = this.words.add(text);
    if (!found) return;
    // These words are not shown any more, so they are not among those that were said.
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
  }

  private async guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.parts.log.error('Looking for loops failed', error);
    }
  }
}

/** What the model gets, without what is different each time although nothing has changed: ids of processes and calls. */
function outcomeText(finished: FinishedCall): string {
  const { call, result } = finished;
  const text = JSON.stringify(functionResponse(finished)).replaceAll(call.id, '');
  const pid = result.data?.['pid'];
  return typeof pid === 'number' ? text.replace(new RegExp(`\\b${pid}\\b`, 'g'), '') : text;
}

const NEVER = new AbortController().signal;
