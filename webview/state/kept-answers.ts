import * as z from 'zod/mini';

const replySchema = z.object({ picked: z.readonly(z.array(z.string())), other: z.optional(z.string()) });

/** What the reader has filled in on a card and not given as their answer yet. */
export const keptAnswerSchema = z.object({
  requestId: z.string(),
  /** For each question of the model. */
  replies: z.optional(z.readonly(z.array(replySchema))),
  /** Why not. */
  reason: z.optional(z.string()),
  /** What they made of a plan. */
  plan: z.optional(z.string()),
  /** They were offered to be asked no more, and do not want that. */
  declined: z.optional(z.boolean()),
});

export type KeptAnswer = z.infer<typeof keptAnswerSchema>;

/** Half-filled cards, by their question: the page goes when the view is hidden, and what was typed stays. */
export class KeptAnswers {
  private readonly byQuestion: Map<string, KeptAnswer>;

  constructor(
    kept: readonly KeptAnswer[],
    private readonly onChange: () => void,
  ) {
    this.byQuestion = new Map(kept.map((answer) => [answer.requestId, answer]));
  }

  of(requestId: string): Omit<KeptAnswer, 'requestId'> {
    return this.byQuestion.get(requestId) ?? {};
  }

  keep(answer: KeptAnswer): void {
    this.byQuestion.set(answer.requestId, { ...this.of(answer.requestId), ...answer });
    this.onChange();
  }

  forget(requestId: string): void {
    if (this.byQuestion.delete(requestId)) this.onChange();
  }

  /** The words on a card that is gone; the next time there are none. */
  take(requestId: string): string {
    const { replies = [], reason = '', plan = '' } = this.of(requestId);
    this.forget(requestId);
    return [...replies.map(({ other = '' }) => other), reason, plan].filter((words) => words.trim() !== '').join('\n');
  }

  /** Newest last; questions that were answered while the view was hidden must not pile up. */
  list(limit = 20): KeptAnswer[] {
    return [...this.byQuestion.values()].slice(-limit);
  }
}
