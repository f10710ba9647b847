import * as l10n from '@vscode/l10n';

interface DecisionButton {
  readonly decision: string;
  readonly label: string;
}

/** The kinds of yes, narrowest first. One that is not listed cannot be named, so it is not offered. */
const labels = (): readonly DecisionButton[] => [
  { decision: 'once', label: l10n.t('Allow once') },
  { decision: 'session', label: l10n.t('Allow for this session') },
  { decision: 'always', label: l10n.t('Always allow') },
];

/** The buttons of a question, the same wherever it is asked: the narrowest yes is the primary one, wider ones stand apart. */
export function decisionButtons(decisions: readonly string[]): {
  readonly primary: DecisionButton | undefined;
  readonly wider: readonly DecisionButton[];
} {
  const [primary, ...wider] = labels().filter(({ decision }) => decisions.includes(decision));
  return { primary, wider };
}
