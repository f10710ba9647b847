import { randomUUID } from 'node:crypto';
import { createEvent } from '@google/adk';
import type { Part } from '@google/genai';
import * as l10n from '@vscode/l10n';
import type { RemoteAgent } from '../../agents/agent-definition.ts';
import { pauseOf } from '../../model/calls/model-calls.ts';
import { realAlarm } from '../../ports/clock.ts';
import type { Host } from '../../ports/host.ts';
import { toolError } from '../../ports/tool.ts';
import type { AgentEndReason, ToolDisplay } from '../../protocol/agent/agent-event.ts';
import type { RemoteAgents } from '../../remote-agents/remote-agents.ts';
import type { RemoteConnection } from '../../remote-agents/remote-connection.ts';
import { RemoteFailure, remoteFailureText } from '../../remote-agents/remote-failure.ts';
import { remoteQuestion } from '../../remote-agents/remote-question.ts';
import { runTask, type TaskPorts } from '../../remote-agents/run-task.ts';
import { type ShownPart, TaskProgress } from '../../remote-agents/task-progress.ts';
import type { TaskPart } from '../../remote-agents/task-update.ts';
import { AnswerLimit } from '../../scheduler/answer-limit.ts';
import { type AskedQuestion, ConfirmationBroker } from '../../scheduler/confirmation-broker.ts';
import { type RecordLog, SessionJournal } from '../../sessions/session-journal.ts';
import type { SessionHeader } from '../../sessions/session-record.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { oneLine } from '../../text/one-line.ts';
import { brokerLog } from '../calls/broker-log.ts';
import { askOnCard } from '../calls/session-mcp.ts';
import { EventStream } from '../events/event-stream.ts';
import type { AgentOutcome } from './run-agent.ts';
import type { ChildSession } from './session-agents.ts';

export interface RemoteSessionParts {
  readonly host: Host;
  readonly remote: RemoteAgents;
  readonly telemetry: Pick<Telemetry, 'follow' | 'leave' | 'traceparent'>;
  readonly definition: RemoteAgent;
  /** The leader's call that it works for. */
  readonly callId: string;
  /** Whether somebody can answer its questions. */
  readonly interactive: boolean;
  readonly header: SessionHeader;
  readonly log: RecordLog;
}

/** As in Gemini CLI. It begins anew when the user has answered a question. */
const LONGEST_MINUTES = 30;
/** How long Stop waits for the agent to hear of it. */
const CANCEL_MS = 5_000;

/** A session whose agent another service runs: its log and its thread are here. */
export class RemoteSession implements ChildSession {
  readonly journal: SessionJournal;
  readonly broker: ConfirmationBroker;
  private readonly stream: EventStream;
  private readonly progress = new TaskProgress();
  private connection: RemoteConnection | undefined;
  /** What was shown since the last complete event. */
  private said: Part[] = [];
  /** The process or the session ends here, and the remote task continues. */
  private hasLeft = false;

  constructor(private readonly parts: RemoteSessionParts) {
    const { host, header, log, telemetry } = parts;
    this.journal = new SessionJournal(header, log, host.clock);
    this.stream = new EventStream(host.clock, host.log);
    this.journal.onRecord((record) => this.stream.take(record));
    telemetry.follow(this.journal, () => false);
    this.broker = new ConfirmationBroker(
      brokerLog(this.journal),
      () => `question-${randomUUID()}`,
      new AnswerLimit(() => host.settings.answerMinutes(), host.clock),
      header.agent,
    );
  }

  get questions(): readonly AskedQuestion[] {
    return this.broker.questions;
  }

  get brokers(): readonly ConfirmationBroker[] {
    return [this.broker];
  }

  projectInto(stream: EventStream): () => void {
    return this.stream.projectInto(stream, this.journal.id);
  }

  /** It has no calls of its own. */
  readonly isExecuting = false;

  releaseAllowed(): void {}

  /** Gives the agent its task, and waits until it is over. */
  async work(prompt: string, signal: AbortSignal): Promise<AgentOutcome> {
    const { journal } = this;
    const id = randomUUID();
    const event = createEvent({ id, author: 'user', content: { role: 'user', parts: [{ text: prompt }] } });
    journal.append({ type: 'sent', streamId: randomUUID(), event });
    journal.append({ type: 'run_started' });
    const outcome = await this.outcomeOf(id, prompt, signal);
    if (!this.hasLeft) this.end(outcome);
    return outcome;
  }

  /** Leaves the task to the agent, because the process or the leading session ends. */
  leave(): Promise<void> {
    this.hasLeft = true;
    return this.close();
  }

  close(): Promise<void> {
    this.parts.telemetry.leave(this.journal.id);
    return this.journal.close();
  }

  private async outcomeOf(id: string, prompt: string, signal: AbortSignal): Promise<AgentOutcome> {
    const { remote, definition, callId, host, telemetry } = this.parts;
    const limit = new TimeLimit(host.clock.alarm ?? realAlarm);
    const either = AbortSignal.any([signal, limit.signal]);
    try {
      this.connection = await remote.open(definition, {
        callId,
        signal: either,
        traceparent: () => telemetry.traceparent(this.journal.id),
      });
      // From here on, the message may have been sent: after a crash, it must not be sent again.
      await this.journal.synced();
      const message = { id, parts: [{ kind: 'text', text: prompt, isThought: false }], ids: {} } as const;
      return await runTask(this.connection, message, this.progress, this.ports(limit, either), either);
    } catch (error) {
      await this.cancel();
      if (signal.aborted) return { kind: 'stopped' };
      if (!(error instanceof RemoteFailure)) host.log.error(`The remote agent ${definition.name} failed`, error);
      return { kind: 'failed', why: remoteFailureText(limit.signal.aborted ? limit.signal.reason : error) };
    } finally {
      limit.end();
    }
  }

  private ports(limit: TimeLimit, signal: AbortSignal): TaskPorts {
    return {
      show: (parts) => this.show(parts),
      began: (ids) => this.journal.append({ type: 'remote_task', ...ids }),
      ask: (text, parts) => limit.without(() => this.ask(text, parts, signal)),
      newId: randomUUID,
      pause: pauseOf(this.parts.host),
    };
  }

  private show(shown: readonly ShownPart[]): void {
    const parts = shown.map(adkPart);
    this.said.push(...parts);
    this.journal.append({ type: 'delta', parts });
  }

  /** Asks the user on a card of the agent's thread. Returns undefined if nobody answers. */
  private async ask(text: string, asked: readonly TaskPart[], signal: AbortSignal): Promise<RemoteAnswer> {
    if (!this.parts.interactive) return undefined;
    const { journal } = this;
    const { questions, reply } = remoteQuestion(text, asked);
    const { name } = this.parts.definition;
    const call = { id: `remote-${randomUUID()}`, name: 'ask_user', args: { questions: [...questions] } };
    const display = { name: l10n.t('Question'), description: oneLine(questions[0]?.question ?? '', 200) };
    this.keep({ functionCall: call }, { [call.id]: display });
    journal.append({ type: 'tool_started', callId: call.id });
    const question = {
      title: l10n.t('The remote agent {0} has a question', name),
      message: questions[0]?.question ?? '',
      why: l10n.t("Your answer is sent to the remote agent {0}. Don't enter passwords or keys.", name),
      questions,
    };
    const answer = await askOnCard(this.broker, call)(question, signal);
    if (journal.isClosed) return undefined;
    const result =
      answer.action === 'accept'
        ? { content: JSON.stringify(answer.answers) }
        : toolError('cancelled', 'The user did not answer.');
    const state = answer.action === 'accept' ? 'success' : 'cancelled';
    journal.append({ type: 'tool_finished', call, state, result, display });
    return answer.action === 'accept' ? reply(answer.answers) : undefined;
  }

  /** Keeps what was said as one event, so that the log has the conversation without its pieces. */
  private keep(call?: Part, displays?: Readonly<Record<string, ToolDisplay>>): void {
    const parts = [...joined(this.said), ...(call ? [call] : [])];
    this.said = [];
    this.journal.flush();
    if (parts.length === 0) return;
    const event = createEvent({ author: this.parts.definition.name, content: { role: 'model', parts } });
    this.journal.append({ type: 'event', event, ...(displays && { displays: { ...displays } }) });
  }

  private end(outcome: AgentOutcome): void {
    const { journal } = this;
    if (journal.isClosed) return;
    this.keep();
    if (outcome.kind === 'failed') {
      const title = l10n.t('The remote agent failed');
      journal.append({
        type: 'problem',
        problem: { kind: 'server', title, detail: outcome.why, actions: [] },
        fatal: true,
      });
    }
    journal.append({ type: 'run_ended', reason: REASONS[outcome.kind] });
  }

  /** Tells the agent to stop, if it has begun. It may refuse, or be gone. */
  private async cancel(): Promise<void> {
    const { connection, progress, hasLeft } = this;
    const { taskId } = progress.ids;
    if (!connection || taskId === undefined || hasLeft || progress.isOver) return;
    await connection.cancel(taskId, AbortSignal.timeout(CANCEL_MS)).catch((error: unknown) => {
      this.parts.host.log.debug(`A task of ${this.parts.definition.name} was not canceled: ${String(error)}`);
    });
  }
}

type RemoteAnswer = readonly TaskPart[] | undefined;

const REASONS: Readonly<Record<AgentOutcome['kind'], AgentEndReason>> = {
  done: 'completed',
  stopped: 'aborted',
  unfinished: 'failed',
  failed: 'failed',
};

function adkPart(part: ShownPart): Part {
  if (part.kind === 'media') return { inlineData: { data: part.data, mimeType: part.mimeType } };
  return part.kind === 'thought' ? { text: part.text, thought: true } : { text: part.text };
}

/** Joins text that came in pieces. */
function joined(parts: readonly Part[]): Part[] {
  const whole: Part[] = [];
  for (const part of parts) {
    const last = whole.at(-1);
    if (last?.text !== undefined && part.text !== undefined && last.thought === part.thought)
      whole[whole.length - 1] = { ...last, text: last.text + part.text };
    else whole.push(part);
  }
  return whole;
}

/** Ends work that takes too long. Stands still while the user is asked. */
class TimeLimit {
  private readonly over = new AbortController();
  private cancel: () => void;

  constructor(private readonly alarm: NonNullable<Host['clock']['alarm']>) {
    this.cancel = this.begin();
  }

  get signal(): AbortSignal {
    return this.over.signal;
  }

  async without<T>(work: () => Promise<T>): Promise<T> {
    this.cancel();
    try {
      return await work();
    } finally {
      this.cancel = this.begin();
    }
  }

  end(): void {
    this.cancel();
  }

  private begin(): () => void {
    return this.alarm(LONGEST_MINUTES * 60_000, () => {
      this.over.abort(
        new RemoteFailure('endless', `It was not done after ${LONGEST_MINUTES} minutes and was stopped.`),
      );
    });
  }
}
