import * as l10n from '@vscode/l10n';
import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver-types';

/** A list with more problems helps nobody, and takes clients long to show. */
const MAX_PROBLEMS = 500;

export interface ProblemReportsPorts {
  /** The problems of the document as it is now. Undefined if it is closed, or changed meanwhile. */
  readonly problemsOf: (uri: string) => Promise<readonly Diagnostic[] | undefined>;
  readonly send: (uri: string, problems: readonly Diagnostic[]) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Reports the problems of documents, one document after the other. While a document changes faster than it can be read,
 * only its last state is reported.
 */
export class ProblemReports {
  private readonly due = new Set<string>();
  private isRunning = false;

  constructor(private readonly ports: ProblemReportsPorts) {}

  add(uri: string): void {
    this.due.add(uri);
    if (this.isRunning) return;
    this.isRunning = true;
    void this.run().finally(() => {
      this.isRunning = false;
    });
  }

  /** The document was closed: its problems are no longer shown. */
  remove(uri: string): void {
    this.due.delete(uri);
    this.ports.send(uri, []);
  }

  show(uri: string, problems: readonly Diagnostic[]): void {
    this.ports.send(uri, limited(problems));
  }

  private async run(): Promise<void> {
    for (;;) {
      // Messages that have arrived meanwhile come first: they may be newer edits of the same document.
      await new Promise((resolve) => setImmediate(resolve));
      const [uri] = this.due;
      if (uri === undefined) return;
      this.due.delete(uri);
      try {
        const problems = await this.ports.problemsOf(uri);
        if (problems) this.show(uri, problems);
      } catch (error) {
        this.ports.failed(error);
      }
    }
  }
}

/** Of too many problems, the gravest are shown. */
function limited(problems: readonly Diagnostic[]): readonly Diagnostic[] {
  if (problems.length <= MAX_PROBLEMS) return problems;
  const { Error: gravest } = DiagnosticSeverity;
  const sorted = [...problems].sort((one, other) => (one.severity ?? gravest) - (other.severity ?? gravest));
  const shown = sorted.slice(0, MAX_PROBLEMS - 1);
  const hidden = sorted[MAX_PROBLEMS - 1];
  const message = l10n.t('And {0} more problems in this file.', problems.length - shown.length);
  const { range } = hidden ?? { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } } };
  return [...shown, { range, severity: DiagnosticSeverity.Information, source: 'Gantry', message }];
}
