interface DecisionButton {
  readonly decision: string;
  readonly label: string;
}

/** The kinds of yes, narrowest first. One that is not listed cannot be named, so it is not offered. */
const LABELS: readonly DecisionButton[] = [
  { decision: 'once', label: 'Allow once' },
  { decision: 'session', label: 'Allow for this session' },
  { decision: 'always', label: 'Always allow' },
];

/** The buttons of a question, the same wherever it is asked: the narrowest yes is the primary one, wider ones stand apart. */
export function decisionButtons(decisions: readonly string[]): {
  readonly primary: DecisionButton | undefined;
  readonly wider: readonly DecisionButton[];
} {
  const [primary, ...wider] = LABELS.filter(({ decision }) => decisions.includes(decision));
  return { primary, wider };
}
