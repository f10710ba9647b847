import * as vscode from 'vscode';
import type { PolicyStore } from '../../policy/rules/policy-store.ts';
import type { PolicyProblem } from '../../policy/rules/rule-set.ts';
import type { Logger } from '../../ports/logger.ts';
import { Disposable } from '../base/disposable.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';

/** Shows the problems of policy files in the Problems view and in the files. */
export class PolicyDiagnostics extends Disposable {
  constructor(
    runtime: RuntimeLoader,
    private readonly log: Logger,
  ) {
    super();
    runtime.onDidLoad(({ policies }) => this.follow(policies));
  }

  private follow(policies: PolicyStore): void {
    const shown = this.register(vscode.languages.createDiagnosticCollection('gantry.policies'));
    const show = (): void => {
      shown.clear();
      const files = new Set(policies.problems.map(({ file }) => file));
      for (const file of files) {
        shown.set(
          vscode.Uri.file(file),
          policies.problems.filter((problem) => problem.file === file).map(toDiagnostic),
        );
      }
    };
    this.register({ dispose: policies.onDidChange(show) });
    policies.files().then(show, (error: unknown) => this.log.error('The policy files could not be read', error));
  }
}

/** Marks the rest of the line: problems only have a start position. */
function toDiagnostic({ line = 1, column = 1, reason, severity, kind }: PolicyProblem): vscode.Diagnostic {
  const range = new vscode.Range(line - 1, column - 1, line - 1, Number.MAX_SAFE_INTEGER);
  const level = severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
  const diagnostic = new vscode.Diagnostic(range, reason, level);
  diagnostic.source = 'Gantry';
  diagnostic.code = kind;
  return diagnostic;
}
