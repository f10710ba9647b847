import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import {
  type Event,
  getFunctionCalls,
  getFunctionResponses,
  type Runner,
  type Session,
  StreamingMode,
} from '@google/adk';
import { problemOf } from '../../model/model-problem.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Limits } from '../../ports/settings.ts';
import type { AgentEndReason } from '../../protocol/agent/agent-event.ts';
import type { Scheduler } from '../../scheduler/scheduler.ts';
import type { ToolCall } from '../../scheduler/tool-call.ts';
import type { FileSessionService } from '../../sessions/file-session-service.ts';
import { isNotice } from '../../sessions/notices.ts';
import type { SessionJournal } from '../../sessions/session-journal.ts';
import { isModelTurn, type Totals } from '../../sessions/session-totals.ts';
import { endReasonOf } from '../events/event-translator.ts';
import { type RunEnd, StoppableRun } from '../events/stoppable-run.ts';
import { stoppedBy } from '../hooks/hook-bridge-plugin.ts';
import { type RunHooks, wordsOf } from '../hooks/run-hooks.ts';
import { type LimitReached, type LimitScope, limitReached, timeLeft } from '../model/limits.ts';
import type { LoopDetectionPlugin } from '../plugins/loop-detection-plugin.ts';
import { loopProblem, NOT_RUN_AGAIN } from '../problems/loop-texts.ts';
import { pieceRecords } from '../request/call-status.ts';
import { answersTo, repairEvents } from '../request/repair-history.ts';

export interface RunParts {
  readonly journal: SessionJournal;
  readonly session: Session;
  readonly sessions: FileSessionService;
  readonly runner: Runner;
  readonly scheduler: Scheduler;
  readonly limits: () => Limits;
  readonly clock: Clock;
  readonly log: Logger;
  readonly hooks: RunHooks;
  /** Whether a subagent has handed over its result. Always false for the main agent. */
  readonly isTaskDone: () => boolean;
  readonly loops: Pick<LoopDetectionPlugin, 'begin' | 'end' | 'watch' | 'read' | 'hasFound' | 'take'>;
}

/** One run, from a message or from where an earlier run stopped, to its end. */
export class AgentRun extends StoppableRun {
  private timer: NodeJS.Timeout | undefined;

  /** Everything the model has said in reply to the message. */
  private readonly said: string[] = [];

  /** `message` is the user's new message; a run that continues an earlier one has none. */
  constructor(
    private readonly parts: RunParts,
    private readonly message?: Event,
  ) {
    super();
    // Each parallel call listens for the abort, so more than ten listeners are normal.
    setMaxListeners(0, this.abort.signal);
  }

  /** Never rejects: the history stays valid for another request after any failure. */
  override async go(): Promise<RunEnd> {
    const { journal, log, loops } = this.parts;
    let end: RunEnd;
    try {
      this.watchTime();
      end = await this.takeTurns();
    } catch (error) {
      log.error('The run ended with an error', error);
      if (!this.abort.signal.aborted) journal.append({ type: 'problem', problem: problemOf(error), fatal: true });
      end = { reason: this.abort.signal.aborted ? 'aborted' : 'failed' };
      // Stop the other calls of the failed batch instead of waiting for them.
      this.abort.abort();
    } finally {
      clearTimeout(this.timer);
      loops.end();
    }
    if (this.abort.signal.aborted) await this.repair();
    return this.cut ?? end;
  }

  /** Answers the calls that a run left open. Discards the last `surplus` characters of the model's text. */
  async repair(surplus = 0): Promise<void> {
    const { journal, session, sessions, scheduler, log } = this.parts;
    // The history that is repaired must include the latest text.
    journal.flush();
    try {
      for (const event of await repairEvents(journal.history, scheduler, surplus))
        await sessions.appendEvent({ session, event });
    } catch (error) {
      log.error('The history was not repaired', error);
    }
  }

  /** Takes one turn, and more for as long as hooks ask the agent to continue. */
  private async takeTurns(): Promise<RunEnd> {
    const { hooks, journal, log, loops } = this.parts;
    const { signal } = this.abort;
    let { message } = this;
    const asked = message ?? journal.history.events.findLast((event) => event.author === 'user' && !isNotice(event));
    const prompt = asked ? wordsOf(asked) : '';
    loops.begin(prompt);
    for (let turns = 1; ; turns++) {
      const refused = message && (await hooks.before(message, signal));
      if (refused) return refused;
      const end = await this.converse();
      if (end.reason !== 'completed') return end;
      const next = await hooks.after({ prompt, response: this.said.join('\n'), again: turns > 1 }, signal);
      if (!next) return end;
      if ('end' in next) return next.end;
      if (turns === MOST_TURNS) {
        log.warn(`A hook wanted the agent to go on after ${MOST_TURNS} turns. The run was ended.`);
        return end;
      }
      message = next.message;
    }
  }

  private async converse(): Promise<RunEnd> {
    await this.finishOpenCalls();
    for (;;) {
      const end = this.limitReached() ?? (await this.runAgent());
      if (end) return end;
    }
  }

  /** Returns undefined if the run was cut off because the model was looping and another attempt is worthwhile. */
  private async runAgent(): Promise<RunEnd | undefined> {
    const { runner, session, sessions, scheduler, journal, loops } = this.parts;
    const cut = new AbortController();
    const signal = AbortSignal.any([this.abort.signal, cut.signal]);
    setMaxListeners(0, signal);
    loops.watch(() => cut.abort());
    const run = runner.runAsync({
      userId: session.userId,
      sessionId: session.id,
      newMessage: sessions.kick(),
      runConfig: { streamingMode: StreamingMode.SSE, maxLlmCalls: NO_LIMIT_OF_ADK },
      abortSignal: signal,
    });
    let reason: AgentEndReason = 'completed';
    let refusal: string | undefined;
    for await (const event of run) {
      await loops.read(event);
      // The text only repeats earlier text, so it is not shown.
      if (cut.signal.aborted) break;
      if (event.partial) {
        for (const record of pieceRecords(event)) journal.append(record);
        continue;
      }
      const calls = callsOf(event);
      if (loops.hasFound) scheduler.giveUp(calls, NOT_RUN_AGAIN);
      else if (calls.length > 0) scheduler.submit(calls, this.abort.signal);
      if (isModelTurn(event)) {
        reason = calls.length > 0 ? 'completed' : endReasonOf(event);
        refusal = reason === 'refusal' ? event.finishReason : undefined;
        if (wordsOf(event) !== '') this.said.push(wordsOf(event));
      }
      // The answers to the calls are stored by now, so the run can stop here with a valid history.
      if (getFunctionResponses(event).length === 0) continue;
      if (scheduler.stopReason !== undefined) return stoppedBy(scheduler.stopReason);
      if (this.parts.isTaskDone()) return { reason: 'completed' };
      const end = (await this.endOfLoop()) ?? this.limitReached();
      if (end) return end;
    }
    if (this.abort.signal.aborted) return { reason: 'aborted' };
    if (cut.signal.aborted) return this.endOfLoop();
    return { reason, ...(refusal !== undefined && { data: { finishReason: refusal } }) };
  }

  /** Handles a detected loop: notes it for the model, or ends the run if an earlier note did not help. */
  private async endOfLoop(): Promise<RunEnd | undefined> {
    const { journal, loops } = this.parts;
    const loop = loops.take();
    if (!loop) return undefined;
    const { kind, detail, stops, surplus } = loop;
    await this.repair(surplus);
    journal.append({ type: 'loop', id: randomUUID(), kind, detail, stops });
    if (!stops) return undefined;
    journal.append({ type: 'problem', problem: loopProblem(loop), fatal: false });
    return { reason: 'failed', data: { code: 'LOOP_DETECTED' } };
  }

  /** Submits the calls of a run that a restart cut off, as if the model had just made them. */
  private async finishOpenCalls(): Promise<void> {
    const { journal, session, sessions, scheduler } = this.parts;
    const { open } = journal.history.calls;
    if (open.length === 0) return;
    scheduler.submit(open, this.abort.signal);
    for (const event of await answersTo(open, scheduler)) await sessions.appendEvent({ session, event });
  }

  private limitReached(): LimitReached | undefined {
    return limitReached(this.parts.limits(), this.used());
  }

  private used(): Readonly<Record<LimitScope, Totals>> {
    const { history } = this.parts.journal;
    const now = this.parts.clock.now();
    return { prompt: history.runUse.totals(now), session: history.sessionUse.totals(now) };
  }

  /**
   * The clock is paused while a question waits for the user, so the remaining time is measured again when the timer
   * fires.
   */
  private watchTime(): void {
    const left = timeLeft(this.parts.limits(), this.used());
    if (left === undefined) return;
    this.timer = setTimeout(
      () => {
        const limit = this.limitReached();
        if (limit?.reason !== 'max_time') return this.watchTime();
        this.endWith(limit);
      },
      Math.min(Math.max(left, SHORTEST_WAIT), LONGEST_WAIT),
    );
    this.timer.unref();
  }
}

/** A hook that never accepts the answer would keep the agent working forever. */
const MOST_TURNS = 25;

const SHORTEST_WAIT = 50;
/** Node fires a timer with a longer delay at once. */
const LONGEST_WAIT = 2 ** 31 - 1;

/** Gantry's limits end a run properly. ADK's limit, 500 calls by default, throws an error in the middle of the run. */
const NO_LIMIT_OF_ADK = Number.MAX_SAFE_INTEGER - 1;

function callsOf(event: Event): ToolCall[] {
  return getFunctionCalls(event).map(({ id = '', name = '', args = {} }) => ({ id, name, args }));
}
