import * as l10n from '@vscode/l10n';
import type { ModelChoice } from './model-choice-schema.ts';

/** The kinds of approval; a rejection ends the request with what went wrong. */
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
