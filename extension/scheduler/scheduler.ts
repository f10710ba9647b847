import { resolve } from 'node:path';
import { unlessAborted } from '../base/abort.ts';
import { namedFailure } from '../files/file-failure.ts';
import {
  isReadOnly,
  type Refusal,
  refusedCall,
  type Tool,
  type ToolResult,
  type TouchedPath,
  toolError,
} from '../ports/tool.ts';
import type { ToolDisplay } from '../protocol/agent/agent-event.ts';
import { timeoutOf } from '../protocol/transcript/notes.ts';
import { nearestNames } from '../text/nearest-names.ts';
import { parsedArguments, touchedPaths } from '../tools/call-arguments.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { CallReview } from './call-review.ts';
import type { CallState, CallStates, EndState } from './call-states.ts';
import { type BodyPorts, runBody } from './run-body.ts';
import { badArguments, cancelled, type Reviewed, type Ruling, type ToolArgs, type ToolCall } from './tool-call.ts';

export interface FinishedCall {
  readonly call: ToolCall;
  readonly state: EndState;
  readonly result: ToolResult;
  /** The decision of the rules, if the call got that far. */
  readonly ruling?: Ruling;
  /** How long the tool ran, in milliseconds. */
  readonly duration?: number;
}

/** The state of a call when its process ended. */
export interface EarlierCall extends ToolCall {
  readonly started: boolean;
  readonly finished: Pick<FinishedCall, 'call' | 'state' | 'result'> | undefined;
}

/** Receives everything that is recorded or shown. */
export interface SchedulerObserver {
  onUpdate(call: ToolCall, display: ToolDisplay): void;
  onStarted(call: ToolCall): void;
  onFinished(finished: FinishedCall): void;
}

export interface SchedulerParts {
  readonly registry: ToolRegistry;
  readonly review: CallReview;
  readonly states: CallStates;
  readonly body: BodyPorts;
  readonly observer: SchedulerObserver;
  /** The known result of a call that was running when its process ended, if any. */
  readonly lostResult?: (call: ToolCall) => Promise<ToolResult> | ToolResult | undefined;
  /** Why a gate refuses this call: trust, plan mode. Checked before the review and again before the tool runs. */
  readonly gate: (tool: Tool, touched: readonly TouchedPath[]) => Promise<Refusal | undefined>;
}

/** A call in its batch. */
interface Job {
  readonly call: ToolCall;
  readonly tool: Tool | undefined;
  /** Fires when an earlier call in the order was rejected. Undefined for the first call. */
  readonly skip: AbortController | undefined;
  readonly done: Promise<FinishedCall>;
}

/**
 * Runs the calls of a batch: reads in parallel, everything else in order. Every submitted ID is answered exactly once,
 * whatever happens: gates, bad arguments, a rejected question, a throwing tool and Stop all end in a result.
 */
export class Scheduler {
  private readonly jobs = new Map<string, Promise<FinishedCall>>();
  /** The abort controllers of running subagents. */
  private readonly agents = new Map<string, AbortController>();
  private stopping: string | undefined;

  constructor(private readonly parts: SchedulerParts) {}

  /**
   * Resumes the calls of an ended process. Finished calls keep their results. A change that had started is not
   * repeated, because its effect is unknown. All other calls are submitted again.
   */
  adopt(calls: readonly EarlierCall[]): void {
    for (const { finished, started, ...call } of calls) {
      const tool = this.parts.registry.get(call.name);
      if (finished) this.jobs.set(call.id, Promise.resolve(finished));
      else if (started && !(tool && isReadOnly(tool))) this.jobs.set(call.id, this.unknownEffect(call));
    }
  }

  /** Whether the call was submitted to this scheduler, which therefore decided about it. */
  hasDecidedOn(id: string): boolean {
    return this.jobs.has(id);
  }

  /** The reason that a hook gave for ending the run, if any. */
  get stopReason(): string | undefined {
    return this.stopping;
  }

  stateOf(id: string): CallState | undefined {
    return this.parts.states.stateOf(id);
  }

  /** The calls whose tools run here. Those of agents run elsewhere. */
  get executing(): readonly string[] {
    return this.parts.states.executing.filter((id) => !this.agents.has(id));
  }

  /** Whether the call would require approval. */
  async wouldAsk(call: ToolCall): Promise<boolean> {
    const tool = this.parts.registry.get(call.name);
    const parsed = tool && parsedArguments(tool, withoutOrder(call).call.args);
    if (!tool || !parsed?.success || this.jobs.has(call.id) || (await this.refused(tool, parsed.data))) return false;
    return this.parts.review.wouldAsk(call, tool);
  }

  /** Allows pending calls that no longer require approval. */
  releaseAllowed(): Promise<void> {
    return this.parts.review.releaseAllowed();
  }

  /** Starts a batch synchronously. An ID that was submitted before isn't run again. */
  submit(calls: readonly ToolCall[], signal: AbortSignal): void {
    const batch: Job[] = [];
    let earlier: Promise<unknown> | undefined;
    let lastChange: Promise<unknown> | undefined;
    let lastAsked: Promise<unknown> = Promise.resolve();
    const writers = new Map<string, Promise<unknown>>();
    for (const submitted of calls) {
      if (this.jobs.has(submitted.id)) continue;
      const { call, waits } = withoutOrder(submitted);
      const tool = this.parts.registry.get(call.name);
      const isOrdered = waits || (tool !== undefined && !isReadOnly(tool) && !tool.changesNothing?.(call.args));
      const files = this.writtenBy(tool, call);
      const sameFiles = files.flatMap((path) => writers.get(path) ?? []);
      const turn = new Turn(lastAsked);
      const skip = batch.length === 0 ? undefined : new AbortController();
      const done = this.run(
        { call, tool, skip },
        {
          startsAfter: isOrdered ? earlier : lastChange,
          sameFiles: sameFiles.length === 0 ? undefined : Promise.all(sameFiles),
          turn,
          isFirst: batch.length === 0,
        },
        signal,
      );
      for (const path of files) writers.set(path, done);
      batch.push({ call, tool, skip, done });
      this.jobs.set(call.id, done);
      earlier = Promise.all([earlier, done]);
      if (isOrdered) lastChange = earlier;
      // A call that waits for another doesn't keep the rest from asking.
      if (sameFiles.length === 0) lastAsked = Promise.race([turn.taken, done]);
    }
    for (const [index, job] of batch.entries()) void this.cascade(job, batch.slice(index + 1));
  }

  /** Answers calls that will not run: after Stop, after their process ended, or for another reason. */
  giveUp(calls: readonly ToolCall[], result = toolError('cancelled', 'Cancelled before it finished.')): void {
    for (const { id, name, args } of calls) {
      if (this.jobs.has(id)) continue;
      this.jobs.set(id, Promise.resolve(this.finish({ id, name, args }, result)));
    }
  }

  /** Stops a subagent without ending the run. Returns false if none works for this call. */
  stopAgent(id: string): boolean {
    const agent = this.agents.get(id);
    agent?.abort();
    return agent !== undefined;
  }

  /** The result of a submitted call. */
  join(id: string): Promise<FinishedCall> | undefined {
    return this.jobs.get(id);
  }

  /** Drops the results of the run's calls, because the history contains the answers. */
  forget(): void {
    this.jobs.clear();
    this.stopping = undefined;
    this.parts.states.forget();
  }

  /** Cancels later calls, because they depend on the rejected one. Running calls continue. */
  private async cascade({ tool, done }: Job, later: readonly Job[]): Promise<void> {
    const { result } = await done;
    if (result.error?.type !== 'rejected') return;
    const changes = tool !== undefined && !isReadOnly(tool);
    // Files are reviewed one by one, so rejecting one edit says nothing about the others.
    const isAlone = result.data?.['alone'] === true;
    for (const other of later) {
      if (isAlone && other.tool?.kind === 'edit') continue;
      const isAfter = changes || (other.tool !== undefined && !isReadOnly(other.tool));
      const state = this.parts.states.stateOf(other.call.id);
      if (isAfter && state !== 'executing') other.skip?.abort(whySkipped(result));
    }
  }

  private async run(
    { call, tool, skip }: Pick<Job, 'call' | 'tool' | 'skip'>,
    order: Order,
    stop: AbortSignal,
  ): Promise<FinishedCall> {
    const { states, body } = this.parts;
    states.begin(call.id);
    if (!tool) return this.finish(call, toolError('tool_not_registered', this.unknownTool(call.name)));
    const signal = skip ? AbortSignal.any([stop, skip.signal]) : stop;
    try {
      return await this.decideAndRun({ call, tool, ...order, signal, stop });
    } catch (error) {
      body.log.error(`Tool ${call.name} failed unexpectedly`, error);
      const text = `${call.name} failed: ${namedFailure(error)}`;
      return this.finish(call, toolError('unhandled_exception', text));
    }
  }

  private async decideAndRun(job: RunningJob, tails = 0): Promise<FinishedCall> {
    const { call, tool, startsAfter, sameFiles, turn, signal, stop } = job;
    const { states, review } = this.parts;
    const parsed = parsedArguments(tool, call.args);
    if (!parsed.success) return this.finish(call, badArguments(tool, parsed.error.issues));
    // Don't ask about a call that could not run anyway.
    const refused = await this.refused(tool, parsed.data);
    if (refused) return this.finish(call, refused);
    // A proposal is based on the file after the changes before it.
    if (sameFiles) await unlessAborted(sameFiles, signal);
    const reviewed = await review.review(call, tool, signal, async () => {
      await turn.take();
      states.move(call.id, 'awaiting_approval');
    });
    turn.pass();
    if (!reviewed.go) return this.finish(call, notRun(reviewed.result, signal, stop), reviewed.ruling);
    states.move(call.id, 'scheduled');
    if (startsAfter) await unlessAborted(startsAfter, signal);
    if (signal.aborted) return this.finish(call, notRun(cancelled(), signal, stop), reviewed.ruling);
    return this.runReviewed(job, reviewed, tails);
  }

  /** Runs a reviewed call when its turn has come. */
  private async runReviewed(
    job: RunningJob,
    earlier: Extract<Reviewed, { go: true }>,
    tails: number,
  ): Promise<FinishedCall> {
    const { call, tool, isFirst, signal, stop } = job;
    const { states, review } = this.parts;
    const asking = (): Promise<void> => Promise.resolve(states.move(call.id, 'awaiting_approval'));
    const reviewed = isFirst ? earlier : await review.again(earlier, tool, signal, asking);
    if (!reviewed.go) return this.finish(call, notRun(reviewed.result, signal, stop), reviewed.ruling);
    if (states.stateOf(call.id) === 'awaiting_approval') states.move(call.id, 'scheduled');
    const refusedNow = await this.refused(tool, reviewed.args);
    if (refusedNow) return this.finish(call, refusedNow, reviewed.ruling);
    this.parts.observer.onStarted(reviewed.call);
    states.move(call.id, 'executing');
    const own = this.stopOf(call, tool);
    const { result, tail } = await runBody(
      reviewed,
      tool,
      this.parts.body,
      own ? AbortSignal.any([stop, own]) : stop,
      (display) => this.parts.observer.onUpdate(call, display),
    );
    this.agents.delete(call.id);
    const next = tail && tails < MAX_TAILS ? this.parts.registry.get(tail.name) : undefined;
    if (!tail || !next) return this.finish(reviewed.call, result, reviewed.ruling);
    states.move(call.id, 'validating');
    const follow = { ...job, call: { id: call.id, ...tail }, tool: next };
    const finished = await this.decideAndRun(
      { ...follow, startsAfter: undefined, sameFiles: undefined, turn: new Turn(Promise.resolve()) },
      tails + 1,
    );
    return { ...finished, call: reviewed.call };
  }

  private stopOf({ id }: ToolCall, { kind }: Tool): AbortSignal | undefined {
    if (kind !== 'agent') return undefined;
    const agent = new AbortController();
    this.agents.set(id, agent);
    return agent.signal;
  }

  /** Checks the gates, because trust or mode may have changed since the tool was offered to the model. */
  private async refused(tool: Tool, args: ToolArgs): Promise<ToolResult | undefined> {
    const refusal = await this.parts.gate(tool, tool.touches?.(args) ?? []);
    return refusal && refusedCall(refusal);
  }

  private finish(call: ToolCall, result: ToolResult, ruling?: Ruling): FinishedCall {
    const { states, observer } = this.parts;
    const state = endState(result);
    if (result.error?.type === 'stop_execution') this.stopping = result.error.message;
    if (states.stateOf(call.id)) states.move(call.id, state);
    const duration = states.workedOn(call.id);
    const finished: FinishedCall = {
      call,
      state,
      result,
      ...(ruling && { ruling }),
      ...(duration !== undefined && { duration }),
    };
    observer.onFinished(finished);
    return finished;
  }

  /** Finishes at once, unless somebody elsewhere has to be asked first. */
  private unknownEffect(call: ToolCall): Promise<FinishedCall> {
    const known = this.parts.lostResult?.(call);
    if (known instanceof Promise) return known.then((result) => this.finish(call, result));
    const text = `Gantry was closed while ${call.name} was running. Whether it took effect is not known: look before repeating it.`;
    return Promise.resolve(this.finish(call, known ?? toolError('effect_unknown', text)));
  }

  private unknownTool(name: string): string {
    const names = this.parts.registry
      .offered(this.parts.body.workspace(), this.parts.body.session().mode())
      .map((tool) => tool.name);
    const meant = nearestNames(name, names, 3, Math.max(2, Math.floor(name.length / 2)));
    if (meant.length > 0) return `There is no tool named "${name}". Did you mean ${meant.join(', ')}?`;
    return `There is no tool named "${name}". The tools are ${names.join(', ')}.`;
  }

  private writtenBy(tool: Tool | undefined, call: ToolCall): string[] {
    if (!tool?.touches || isReadOnly(tool)) return [];
    const [root = ''] = this.parts.body.workspace().roots();
    return touchedPaths(tool, call.args).flatMap(({ path, access }) =>
      access === 'write' ? [resolve(root, path)] : [],
    );
  }
}

/** The conditions that a call waits for. */
interface Order {
  /** Awaited before the tool runs. */
  readonly startsAfter: Promise<unknown> | undefined;
  /** Awaited before the proposal is calculated. */
  readonly sameFiles: Promise<unknown> | undefined;
  /** Awaited before the user is asked. */
  readonly turn: Turn;
  /** Whether it is the first call of its batch. */
  readonly isFirst: boolean;
}

interface RunningJob extends Order {
  readonly call: ToolCall;
  readonly tool: Tool;
  /** Aborted by Stop, or by the rejection of an earlier call. */
  readonly signal: AbortSignal;
  readonly stop: AbortSignal;
}

/** Prevents an endless loop if a hook replaces every call with another. */
const MAX_TAILS = 5;

/** `wait_for_previous` is for the scheduler, not for the tool. */
function withoutOrder({ id, name, args }: ToolCall): { readonly call: ToolCall; readonly waits: boolean } {
  const { wait_for_previous: waits, ...own } = args;
  return typeof waits === 'boolean'
    ? { call: { id, name, args: own }, waits }
    : { call: { id, name, args }, waits: false };
}

function notRun(result: ToolResult, signal: AbortSignal, stop: AbortSignal): ToolResult {
  if (!signal.aborted || stop.aborted || result.error?.type !== 'cancelled') return result;
  return toolError('cancelled', `Not run: ${signal.reason}`);
}

function whySkipped({ data }: ToolResult): string {
  if (timeoutOf(data) !== undefined) return 'nobody answered the question about a call that comes before this one.';
  return 'the user rejected a call that comes before this one.';
}

function endState({ error }: ToolResult): EndState {
  if (!error) return 'success';
  return error.type === 'cancelled' || error.type === 'rejected' ? 'cancelled' : 'error';
}

/** Keeps approvals in the order of the calls, however long it takes to find out whether one is required. */
class Turn {
  readonly taken: Promise<void>;
  pass: () => void = () => undefined;

  constructor(private readonly before: Promise<unknown>) {
    this.taken = new Promise((resolve) => {
      this.pass = resolve;
    });
  }

  /** Waits for the turn; the request that follows is shown before the next turn starts. */
  async take(): Promise<void> {
    await this.before;
    setImmediate(this.pass);
  }
}
