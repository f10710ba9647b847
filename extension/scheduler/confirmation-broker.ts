import type { ElicitationAnswer } from '../protocol/agent-protocol.ts';
import { ProblemError } from '../protocol/problem.ts';
import { decisionsOf } from '../protocol/tool-entry.ts';

/** Something a person has to decide about a call. */
export interface Question {
  readonly callId: string;
  readonly title: string;
  readonly message: string;
  /** JSON Schema of what an accepting answer carries. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A waiting question is part of the conversation: both halves are written down before anything follows from them. */
export interface BrokerLog {
  asked(requestId: string, question: Question): void;
  answered(answer: ElicitationAnswer): void;
}

interface Waiting {
  readonly question: Question;
  readonly settled: (answer: ElicitationAnswer) => void;
}

/** Questions that wait for a person. Any surface may answer, the first answer counts. */
export class ConfirmationBroker {
  private readonly waiting = new Map<string, Waiting>();

  constructor(
    private readonly log: BrokerLog,
    private readonly newId: () => string,
  ) {}

  /** `askedAs` is the id of a question that was asked before a restart and still stands in the log. */
  ask(question: Question, signal: AbortSignal, askedAs?: string): Promise<ElicitationAnswer> {
    const requestId = askedAs ?? this.newId();
    return new Promise((resolve) => {
      const cancel = (): void => this.settle({ requestId, action: 'cancel', content: {} });
      const settled = (answer: ElicitationAnswer): void => {
        signal.removeEventListener('abort', cancel);
        resolve(answer);
      };
      this.waiting.set(requestId, { question, settled });
      signal.addEventListener('abort', cancel, { once: true });
      // Whoever is told of the question may answer before this returns, so it waits already.
      if (askedAs === undefined) this.log.asked(requestId, question);
      if (signal.aborted) cancel();
    });
  }

  /** All of them or none: a wrong one among several changes nothing. */
  answer(answers: readonly ElicitationAnswer[]): void {
    const ids = answers.map(({ requestId }) => requestId);
    const unknown = ids.find((id, index) => !this.waiting.has(id) || ids.indexOf(id) !== index);
    if (unknown !== undefined) throw notWaiting(unknown);
    for (const answer of answers) this.check(answer);
    for (const answer of answers) this.settle(answer);
  }

  private settle(answer: ElicitationAnswer): void {
    const waiting = this.waiting.get(answer.requestId);
    if (!waiting) return;
    this.waiting.delete(answer.requestId);
    this.log.answered(answer);
    waiting.settled(answer);
  }

  /** A yes counts only if it is one of those on offer. */
  private check({ requestId, action, content }: ElicitationAnswer): void {
    const offered = decisionsOf(this.waiting.get(requestId)?.question.schema ?? {});
    if (action !== 'accept' || offered.length === 0 || offered.some((decision) => decision === content['decision']))
      return;
    throw new ProblemError({
      kind: 'bad-input',
      title: 'That is not one of the answers',
      detail: `The question still waits. A yes carries a decision: ${offered.join(', ')}.`,
      actions: [],
    });
  }
}

function notWaiting(requestId: string): ProblemError {
  return new ProblemError({
    kind: 'not-waiting',
    title: 'This question no longer waits for an answer',
    detail: `"${requestId}" was answered already, or its run has ended, or it was never asked. Nothing was changed.`,
    actions: [],
  });
}
