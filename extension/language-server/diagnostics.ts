import { pathToFileURL } from 'node:url';
import * as l10n from '@vscode/l10n';
import {
  type CodeAction,
  CodeActionKind,
  type Diagnostic,
  type DiagnosticRelatedInformation,
  DiagnosticSeverity,
  DiagnosticTag,
  type TextEdit,
} from 'vscode-languageserver-types';
import type { FileRange, TextRange } from '../text/text-range.ts';
import { type ConfigDocument, toLspRange } from './config-document.ts';

/** A problem as the readers of the runtime report it. */
export interface ReadProblem {
  readonly text: string;
  /** Where it is, as exactly as the reader knows. Counted from 1. */
  readonly line?: number;
  readonly column?: number;
  readonly range?: TextRange;
  readonly severity?: keyof typeof SEVERITIES;
  readonly kind?: string;
  /** Whether the text has no effect, so that it can be removed. */
  readonly isNeedless?: boolean;
  /** What counts instead, unless `otherText` says what it is. */
  readonly other?: FileRange;
  readonly otherText?: string;
}

/** Without a range, marks the rest of the line: clients cut it where the line ends. */
const END_OF_LINE = 10_000;

const SEVERITIES = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
} as const;

export function toDiagnostic(problem: ReadProblem): Diagnostic {
  const { text, line = 1, column = 1, range, other, otherText, kind, isNeedless } = problem;
  const { severity = other ? 'warning' : 'error' } = problem;
  return {
    range: toLspRange(range ?? { line, column, endLine: line, endColumn: END_OF_LINE }),
    severity: SEVERITIES[severity],
    ...(kind !== undefined && { code: kind }),
    source: 'Gantry',
    message: text,
    ...(isNeedless && { tags: [DiagnosticTag.Unnecessary] }),
    ...(other && { relatedInformation: [related(other, otherText)] }),
  };
}

/** A change that repairs a problem, if it can be made. */
export function quickFix(
  { uri, document }: ConfigDocument,
  title: string,
  edit: TextEdit | undefined,
  problem?: ReadProblem,
): readonly CodeAction[] {
  // A key may have invisible characters behind it that its place doesn't include.
  if (!edit || document.getText(edit.range) === edit.newText) return [];
  const fixed = problem && { diagnostics: [toDiagnostic(problem)] };
  return [{ title, kind: CodeActionKind.QuickFix, edit: { changes: { [uri]: [edit] } }, ...fixed }];
}

function related({ file, range }: FileRange, message = l10n.t('This one is used.')): DiagnosticRelatedInformation {
  const location = { uri: pathToFileURL(file).href, range: toLspRange(range) };
  return { location, message };
}
