import type { Diagnostic } from 'vscode-languageserver-types';
import type { JsonPath } from '../../text/json-tree.ts';
import type { ProblemPlace } from '../../text/json-with-comments.ts';
import { toDiagnostic } from '../diagnostics.ts';
import type { Workspace } from '../workspace.ts';

/** What a problem is about. Quick fixes and tests go by it. */
export type JsonProblemKind =
  // What the runtime reports as well.
  | 'json'
  | 'hooks'
  | 'servers'
  | 'agents'
  | 'models'
  | 'extension'
  | 'setting'
  | 'unapplied'
  | 'approval'
  | 'clash'
  // What only authors want to know.
  | 'matcher'
  | 'program'
  | 'variable'
  | 'name'
  | 'key';

export interface JsonProblem extends ProblemPlace {
  readonly kind: JsonProblemKind;
  readonly text: string;
  /** `information` if nothing is wrong. */
  readonly severity: 'error' | 'warning' | 'information';
  /** The key or value that can be removed or replaced. */
  readonly path?: JsonPath;
  /** The names that are probably meant. */
  readonly meant?: readonly string[];
  /** Whether the text has no effect, so that it can be removed. */
  readonly isNeedless?: boolean;
  readonly other?: { readonly file: string; readonly line: number; readonly text: string };
}

export function jsonDiagnostic(problem: JsonProblem, workspace: Workspace): Diagnostic {
  const { other, ...read } = problem;
  return {
    ...toDiagnostic(read),
    ...(other && { relatedInformation: [related(other, workspace)] }),
  };
}

function related(
  { file, line, text }: NonNullable<JsonProblem['other']>,
  workspace: Workspace,
): NonNullable<Diagnostic['relatedInformation']>[number] {
  const position = { line: line - 1, character: 0 };
  return { location: { uri: workspace.uriOf(file), range: { start: position, end: position } }, message: text };
}
