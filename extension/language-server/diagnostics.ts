import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver-types';
import type { TextRange } from '../text/text-range.ts';
import { toLspRange } from './config-document.ts';

/** A problem as the readers of the runtime report it. */
export interface ReadProblem {
  readonly text: string;
  /** Where it is, as exactly as the reader knows. Counted from 1. */
  readonly line?: number;
  readonly column?: number;
  readonly range?: TextRange;
  readonly severity?: keyof typeof SEVERITIES;
  readonly kind?: string;
}

/** Without a range, marks the rest of the line: clients cut it where the line ends. */
const END_OF_LINE = 10_000;

const SEVERITIES = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

export function toDiagnostic({ text, line = 1, column = 1, range, severity = 'error', kind }: ReadProblem): Diagnostic {
  return {
    range: toLspRange(range ?? { line, column, endLine: line, endColumn: END_OF_LINE }),
    severity: SEVERITIES[severity],
    ...(kind !== undefined && { code: kind }),
    source: 'Gantry',
    message: text,
  };
}
