import type { UserQuestion } from '../../extension/protocol/agent/approval.ts';

/** What the reader has selected and typed for one question. */
export interface Reply {
  readonly picked: readonly string[];
  /** The typed text; undefined unless the reader selected "other". */
  readonly other?: string | undefined;
}

/** The reply after an option was toggled. Without a label, it is the option for typed text. */
export function changedReply(
  { picked, other }: Reply,
  isMultiple: boolean,
  label: string | undefined,
  checked: boolean,
): Reply {
  if (label === undefined) return { picked: isMultiple ? picked : [], other: checked ? (other ?? '') : undefined };
  if (!isMultiple) return { picked: [label], other: undefined };
  return { picked: checked ? [...picked, label] : picked.filter((one) => one !== label), other };
}

export function isAnswered(question: UserQuestion, reply: Reply | undefined): boolean {
  return wordsOf(question, reply) !== '';
}

/** The answers by the index of the question. Questions without an answer are omitted. */
export function answersOf(questions: readonly UserQuestion[], replies: readonly Reply[]): Record<string, string> {
  const given = questions.map((question, index) => [String(index), wordsOf(question, replies[index])] as const);
  return Object.fromEntries(given.filter(([, words]) => words !== ''));
}

function wordsOf(question: UserQuestion, reply: Reply | undefined): string {
  const other = reply?.other?.trim() ?? '';
  if (question.type === 'text') return other;
  return [...(reply?.picked ?? []), other].filter((words) => words !== '').join(', ');
}
