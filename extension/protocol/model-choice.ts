import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';

/** `elicitation_request._meta.modelChoice`: a model does not answer, and the user decides what happens. */
export const modelChoiceSchema = z.strictObject({
  failed: z.string(),
  /** The one that could answer instead. */
  other: z.optional(z.string()),
  /** A page that helps, such as one about quotas. Opening it is no answer. */
  link: z.optional(z.strictObject({ label: z.string(), url: z.string() })),
});

export type ModelChoice = z.infer<typeof modelChoiceSchema>;

/** The kinds of yes; a no ends the request with what went wrong. */
export type ModelDecision = 'retry_once' | 'retry_always';

export interface ModelChoiceButton {
  readonly decision: ModelDecision;
  readonly label: string;
}

/** The same wherever it is asked. */
export function modelChoiceButtons({ other }: ModelChoice): readonly ModelChoiceButton[] {
  const retry: ModelChoiceButton = { decision: 'retry_once', label: l10n.t('Retry once') };
  return other === undefined ? [retry] : [retry, { decision: 'retry_always', label: l10n.t('Always use {0}', other) }];
}
