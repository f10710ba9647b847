import * as l10n from '@vscode/l10n';
import type { ModelChoice } from './approval.ts';

interface DecisionButton {
  readonly decision: string;
  readonly label: string;
}

/** The kinds of approval, narrowest first. A kind that is not listed has no label, so it is not offered. */
const labels = (): readonly DecisionButton[] => [
  { decision: 'once', label: l10n.t('Allow once') },
  { decision: 'session', label: l10n.t('Allow for this session') },
  { decision: 'always', label: l10n.t('Always allow') },
];

/**
 * The buttons of a question on every surface: the narrowest approval is the primary button, wider ones are separate.
 */
export function decisionButtons(decisions: readonly string[]): {
  readonly primary: DecisionButton | undefined;
  readonly wider: readonly DecisionButton[];
} {
  const [primary, ...wider] = labels().filter(({ decision }) => decisions.includes(decision));
  return { primary, wider };
}

/** The kinds of approval. A rejection ends the request with its error. */
type ModelDecision = 'retry_once' | 'retry_always';

interface ModelChoiceButton {
  readonly decision: ModelDecision;
  readonly label: string;
}

/** The buttons of a model choice on every surface. */
export function modelChoiceButtons({ other }: ModelChoice): readonly ModelChoiceButton[] {
  const retry: ModelChoiceButton = { decision: 'retry_once', label: l10n.t('Retry once') };
  return other === undefined ? [retry] : [retry, { decision: 'retry_always', label: l10n.t('Always use {0}', other) }];
}
