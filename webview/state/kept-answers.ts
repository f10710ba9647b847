import * as z from 'zod/mini';

const replySchema = z.object({ picked: z.readonly(z.array(z.string())), other: z.optional(z.string()) });

/** The reader's input on a card that is not answered yet. */
export const keptAnswerSchema = z.object({
  requestId: z.string(),
  /** The replies to each question of the model. */
  replies: z.optional(z.readonly(z.array(replySchema))),
  /** The reason of a rejection. */
  reason: z.optional(z.string()),
  /** The changed text of a plan. */
  plan: z.optional(z.string()),
  /** True if the reader declined the offer to stop asking. */
  declined: z.optional(z.boolean()),
});

export type KeptAnswer = z.infer<typeof keptAnswerSchema>;

/**
 * Partly filled cards, by their question. They keep the reader's input when the page is destroyed because it is hidden.
 */
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

  /** Removes and returns the text that was typed on a card. */
  take(requestId: string): string {
    const { replies = [], reason = '', plan = '' } = this.of(requestId);
    this.forget(requestId);
    return [...replies.map(({ other = '' }) => other), reason, plan].filter((words) => words.trim() !== '').join('\n');
  }

  /** Newest last. The limit removes questions that were answered while the view was hidden. */
  list(limit = 20): KeptAnswer[] {
    return [...this.byQuestion.values()].slice(-limit);
  }
}
