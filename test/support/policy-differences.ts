import type { Decision, PolicyCall, Verdict } from '../../extension/policy/policy-types.ts';
import type { OracleVerdict } from './policy-oracle.ts';

export interface Disagreement {
  readonly call: PolicyCall;
  readonly ours: Verdict;
  readonly theirs: OracleVerdict;
}

export interface IntendedDifference {
  /** What Gemini CLI 0.58.0 does, and what happens here instead. */
  readonly what: string;
  /** As written: the rule now does what its text says, where it did nothing before. All others are stricter. */
  readonly effect: 'stricter' | 'as written';
  explains(disagreement: Disagreement): boolean;
}

/** Every way in which decisions may differ. A disagreement that none of these explains is a fault. */
export const INTENDED_DIFFERENCES: readonly IntendedDifference[] = [
  {
    what: 'A name that ends with "*" is compared letter by letter; here it stands for every name that begins so.',
    effect: 'as written',
    explains: ({ ours }) => isPrefix(ours.rule?.toolName ?? ''),
  },
  {
    what: 'mcpName = "*" with the name of one tool never matches; here it is that tool of every server.',
    effect: 'as written',
    explains: ({ ours }) => (ours.rule?.toolName ?? '').startsWith('mcp_*_'),
  },
  {
    what: 'A commandPrefix in a rule that allows covers the prefix and a quote glued to it (git"x" is gitx); not here.',
    effect: 'stricter',
    explains: ({ call }) => /^\S+["']/.test(commandOf(call)),
  },
  {
    what: 'A commandPrefix in a rule that refuses or asks does not see a tab or newline after the prefix; here it does.',
    effect: 'stricter',
    explains: ({ call }) => /[\t\n\r]/.test(commandOf(call)),
  },
];

const STRICTNESS: Readonly<Record<Decision, number>> = { allow: 0, ask_user: 1, deny: 2 };

export function isAtLeastAsStrict(ours: Decision, theirs: Decision): boolean {
  return STRICTNESS[ours] >= STRICTNESS[theirs];
}

export function explanationOf(disagreement: Disagreement): IntendedDifference | undefined {
  const isStricter = isAtLeastAsStrict(disagreement.ours.decision, disagreement.theirs.decision);
  return INTENDED_DIFFERENCES.find(
    (difference) => difference.explains(disagreement) && (difference.effect === 'as written' || isStricter),
  );
}

/** The forms Gemini CLI knows are `*`, `mcp_*` and `mcp_<server>_*`. */
function isPrefix(toolName: string): boolean {
  return toolName.endsWith('*') && toolName !== '*' && toolName !== 'mcp_*' && !/^mcp_.+_\*$/.test(toolName);
}

function commandOf({ args }: PolicyCall): string {
  return typeof args['command'] === 'string' ? args['command'] : '';
}
