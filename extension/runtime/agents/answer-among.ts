import type { ElicitationAnswer } from '../../protocol/agent/agent-protocol.ts';
import type { ConfirmationBroker } from '../../scheduler/confirmation-broker.ts';

/** Answers questions of a session and of the agents below it: all of them or, when one is wrong, none. */
export function answerAmong(
  own: ConfirmationBroker,
  others: readonly ConfirmationBroker[],
  answers: readonly ElicitationAnswer[],
  by: string,
): void {
  const ownerOf = ({ requestId }: ElicitationAnswer): ConfirmationBroker =>
    others.find((broker) => broker.isWaiting(requestId)) ?? own;
  const shares = new Map<ConfirmationBroker, ElicitationAnswer[]>();
  for (const answer of answers) {
    const owner = ownerOf(answer);
    shares.set(owner, [...(shares.get(owner) ?? []), answer]);
  }
  for (const [broker, share] of shares) broker.verify(share);
  for (const [broker, share] of shares) broker.answer(share, by);
}
