import type { Diagnostic } from 'vscode-languageserver-protocol/node';
import type { Tier } from '../../../extension/policy/policy-types.ts';
import { loadPolicyFile } from '../../../extension/policy/rules/load-policies.ts';

/** What the runtime doesn't look at: it compares no rules with others. */
const ONLY_SERVER = ['no_effect', 'unreachable_rule', 'duplicate_rule', 'needless_rule', 'unknown_name'];
const NOTHING_ACCEPTED = { isAccepted: () => false, isKnown: () => false, problems: [] };

/** The problems that the runtime reports about a policy file, with their places as the protocol counts them. */
export function runtimeProblems(path: string, tier: Tier, text: string): readonly string[] {
  const { read } = loadPolicyFile({ path, tier, text }, NOTHING_ACCEPTED);
  return read.problems.map(({ kind, reason, line = 1, range }) => {
    const exact = range && [range.line - 1, range.column - 1, range.endLine - 1, range.endColumn - 1];
    return `${kind} ${exact ?? line - 1}: ${reason}`;
  });
}

/** What the server shows of them. */
export function shownProblems(problems: readonly Diagnostic[]): readonly string[] {
  const shown = problems.filter(({ code }) => !ONLY_SERVER.includes(String(code)));
  return shown.map(({ code, message, range: { start, end } }) => {
    const exact = [start.line, start.character, end.line, end.character];
    // The reader only knows the line.
    return `${code} ${code === 'not_accepted' ? start.line : exact}: ${message}`;
  });
}
