import * as l10n from '@vscode/l10n';
import { Emitter } from '../base/emitter.ts';
import type { ElicitationAnswer } from '../protocol/agent/agent-protocol.ts';
import type { ApprovalRequest, ModelChoice } from '../protocol/agent/approval.ts';
import { ProblemError } from '../protocol/agent/problem.ts';
import { decisionsOf } from '../protocol/transcript/tool-entry.ts';
import { type AnswerLimit, BY_TIMEOUT, type WaitingTime } from './answer-limit.ts';

/** An approval request. */
export interface Question {
  /** The call that it is about, if any. */
  readonly callId?: string | undefined;
  readonly title: string;
  readonly message: string;
  /** JSON schema of the content of an accepting answer. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Details for the surfaces that show it. */
  readonly request?: ApprovalRequest | undefined;
  /** Set if it asks which model should answer. */
  readonly modelChoice?: ModelChoice | undefined;
}

/** An approval is part of the conversation: request and answer are recorded before they have an effect. */
export interface BrokerLog {
  asked(requestId: string, question: Question): void;
  answered(answer: ElicitationAnswer, by: string): void;
}

/** An answer and where it was given, such as "panel". */
export interface GivenAnswer extends ElicitationAnswer {
  readonly by: string;
}

/** A draft of the answer to a pending approval. It counts wherever the answer is given. */
export interface AnswerDraft {
  /** The texts that differ from the proposed ones, by path. */
  readonly contents?: Readonly<Record<string, string>>;
  /** A plan, where it differs from the proposed one. */
  readonly plan?: string;
  /** Feedback with an approval, the reason with a rejection. */
  readonly feedback?: string;
}

interface Waiting {
  readonly question: Question;
  draft?: AnswerDraft;
  time?: WaitingTime | undefined;
  readonly settled: (answer: GivenAnswer) => void;
}

export interface AskedQuestion {
  readonly requestId: string;
  readonly question: Question;
}

interface Restored extends AskedQuestion {
  readonly answer: Promise<GivenAnswer>;
}

/** Pending approvals. Any surface may answer, and the first answer counts. */
export class ConfirmationBroker {
  private readonly waiting = new Map<string, Waiting>();
  /** Requests from before a restart, by call. */
  private readonly restored = new Map<string, Restored>();
  private readonly changes = new Emitter();
  /** Fires when an approval is requested or settled. */
  readonly onDidChange = this.changes.on;

  constructor(
    private readonly log: BrokerLog,
    private readonly newId: () => string,
    private readonly limit?: AnswerLimit,
    /** The name of the subagent whose calls these are, if any. */
    private readonly agent?: string,
  ) {}

  /** Restores an approval from before a restart. It can be answered before its call is reviewed again. */
  restore(requestId: string, question: Question): void {
    if (this.waiting.has(requestId) || question.callId === undefined) return;
    this.restored.set(question.callId, { requestId, question, answer: this.wait(requestId, question) });
  }

  /** The call's approval request from before a restart. */
  restoredFor(callId: string): Question | undefined {
    return this.restored.get(callId)?.question;
  }

  /** Drops the request from before a restart, and an answer that it already has. */
  withdraw(callId: string): void {
    const requestId = this.restored.get(callId)?.requestId;
    this.restored.delete(callId);
    if (requestId !== undefined) this.settle({ requestId, action: 'cancel', content: {}, by: 'rule' });
  }

  /** Requests an approval. A request from before a restart is already in the log and is not recorded again. */
  async ask(asked: Question, signal: AbortSignal): Promise<GivenAnswer> {
    const question = this.withAgent(asked);
    const { callId = '' } = question;
    const earlier = this.restored.get(callId);
    this.restored.delete(callId);
    const requestId = earlier?.requestId ?? this.newId();
    const answer = earlier?.answer ?? this.wait(requestId, question);
    const cancel = (): void => this.settle({ requestId, action: 'cancel', content: {}, by: 'stop' });
    signal.addEventListener('abort', cancel, { once: true });
    try {
      // A listener may answer before this returns, so the request is already pending.
      if (!earlier) this.log.asked(requestId, question);
      this.beginTime(requestId);
      this.changes.fire();
      if (signal.aborted) cancel();
      return await answer;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  /** All pending requests. One from before a restart is included once its call is reviewed again. */
  get questions(): readonly AskedQuestion[] {
    return [...this.waiting].flatMap(([requestId, { question }]) =>
      this.restored.has(question.callId ?? '') ? [] : [{ requestId, question }],
    );
  }

  /** Pending requests by call. */
  get waitingCalls(): ReadonlyMap<string, string> {
    return new Map([...this.waiting].map(([requestId, { question }]) => [question.callId ?? '', requestId]));
  }

  isWaiting(requestId: string): boolean {
    return this.waiting.has(requestId);
  }

  /** Applies all answers or none: one invalid answer changes nothing. */
  answer(answers: readonly ElicitationAnswer[], by = 'unknown'): void {
    this.verify(answers);
    for (const answer of answers) this.settle({ ...answer, by });
  }

  /** Throws if an answer is invalid. */
  verify(answers: readonly ElicitationAnswer[]): void {
    const ids = answers.map(({ requestId }) => requestId);
    const unknown = ids.find((id, index) => !this.waiting.has(id) || ids.indexOf(id) !== index);
    if (unknown !== undefined) throw notWaiting(unknown);
    for (const answer of answers) this.check(answer);
  }

  /** Stores a draft, which every answer includes. It also restarts the timer. */
  draft(requestId: string, draft: AnswerDraft): void {
    const waiting = this.waiting.get(requestId);
    if (!waiting) return;
    if (!isSameDraft(waiting.draft, draft)) waiting.time?.restart();
    waiting.draft = draft;
  }

  /** Settles an approval without a person: its call may run now, or no longer can. */
  settle({ by, ...given }: GivenAnswer): void {
    const waiting = this.waiting.get(given.requestId);
    if (!waiting) return;
    this.waiting.delete(given.requestId);
    waiting.time?.stop();
    const answer = { ...given, content: withDraft({ by, ...given }, waiting.draft) };
    this.log.answered(answer, by);
    waiting.settled({ ...answer, by });
    this.changes.fire();
  }

  private withAgent(question: Question): Question {
    const { agent } = this;
    return agent === undefined || !question.request
      ? question
      : { ...question, request: { ...question.request, agent } };
  }

  private wait(requestId: string, question: Question): Promise<GivenAnswer> {
    return new Promise((settled) => {
      this.waiting.set(requestId, { question, settled });
    });
  }

  private beginTime(requestId: string): void {
    const waiting = this.waiting.get(requestId);
    if (!waiting) return;
    waiting.time = this.limit?.begin((timeout) =>
      this.settle({ requestId, action: 'decline', content: { timeout }, by: BY_TIMEOUT }),
    );
  }

  /** Checks that an approval is one of the offered decisions. */
  private check({ requestId, action, content }: ElicitationAnswer): void {
    const offered = decisionsOf(this.waiting.get(requestId)?.question.schema ?? {});
    if (action !== 'accept' || offered.length === 0 || offered.some((decision) => decision === content['decision']))
      return;
    throw new ProblemError({
      kind: 'bad-input',
      title: l10n.t('That is not one of the answers'),
      detail: l10n.t('The question is still open. An approval needs a decision: {0}.', offered.join(', ')),
      actions: [],
    });
  }
}

function withDraft({ action, content, by }: GivenAnswer, draft: AnswerDraft = {}): ElicitationAnswer['content'] {
  const { contents, plan, feedback } = draft;
  const begun = { ...(contents && { contents }), ...(plan && { plan }), ...(feedback && { feedback }) };
  // After a timeout, the draft is kept as it is, because nobody has rejected the call.
  if (action === 'accept' || by === BY_TIMEOUT) return { ...begun, ...content };
  if (action === 'decline' && feedback) {
    const said = typeof content['reason'] === 'string' ? `${content['reason']}\n\n` : '';
    return { ...content, reason: `${said}${feedback}` };
  }
  return content;
}

function isSameDraft(earlier: AnswerDraft = {}, now: AnswerDraft): boolean {
  const [before, after] = [earlier.contents ?? {}, now.contents ?? {}];
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  if ((earlier.feedback ?? '') !== (now.feedback ?? '') || earlier.plan !== now.plan) return false;
  return [...paths].every((path) => before[path] === after[path]);
}

export function notWaiting(requestId: string): ProblemError {
  return new ProblemError({
    kind: 'not-waiting',
    title: l10n.t('This question is no longer open'),
    detail: l10n.t(
      '"{0}" has already been answered, has timed out, its run has ended, or it was never asked. Nothing was changed.',
      requestId,
    ),
    actions: [],
  });
}
