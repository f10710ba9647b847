import { type Diagnostic, DiagnosticTag, type Range } from 'vscode-languageserver-types';
import type { PolicyProblem } from '../../policy/rules/rule-set.ts';
import type { ConfigDocument } from '../config-document.ts';
import { toDiagnostic } from '../diagnostics.ts';
import type { Workspace } from '../workspace.ts';

/** The kinds of problems that only a comparison with other rules and files shows. */
export type ComparedKind = 'unreachable_rule' | 'duplicate_rule' | 'needless_rule' | 'unknown_name';

type Said = Pick<PolicyProblem, 'reason' | 'line' | 'column' | 'range' | 'path' | 'instead'>;

/** A problem of an open policy file. */
export interface FoundProblem extends Said {
  readonly kind: PolicyProblem['kind'] | ComparedKind;
  readonly severity: PolicyProblem['severity'] | 'information';
  /** Other rules that it is about. */
  readonly related?: readonly RelatedRule[];
  /** Whether the text that it is about has no effect. */
  readonly isUnnecessary?: boolean;
}

/** A longer list of rules that a problem is about helps nobody. */
export const MOST_RELATED = 3;

export interface RelatedRule {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

export function diagnosticOf(problem: FoundProblem, { text }: ConfigDocument, workspace: Workspace): Diagnostic {
  const { reason, related, isUnnecessary, kind } = problem;
  const diagnostic = toDiagnostic({ ...problem, text: reason });
  const hasMark = text.startsWith('\uFEFF');
  return {
    ...diagnostic,
    range: hasMark ? behindMark(diagnostic.range) : diagnostic.range,
    ...((isUnnecessary || kind === 'no_effect') && { tags: [DiagnosticTag.Unnecessary] }),
    ...(related && {
      relatedInformation: related.map(({ path, line, text: message }) => {
        const start = { line: line - 1, character: 0 };
        return { location: { uri: workspace.uriOf(path), range: { start, end: start } }, message };
      }),
    }),
  };
}

/** The readers don't count the byte order mark, and a client counts it if it sends it. */
function behindMark({ start, end }: Range): Range {
  const moved = ({ line, character }: Range['start']): Range['start'] => ({
    line,
    character: line === 0 ? character + 1 : character,
  });
  return { start: moved(start), end: moved(end) };
}
