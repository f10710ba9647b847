import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Disposable } from '../base/disposable.ts';
import { Commands } from '../names.ts';
import type { Reviews } from './reviews.ts';

/** CodeLenses to accept and reject: at the top of the text, and above each undecided hunk. */
export class ReviewLenses extends Disposable implements vscode.CodeLensProvider {
  private readonly changed = this.register(new vscode.EventEmitter<void>());

  readonly onDidChangeCodeLenses = this.changed.event;

  constructor(
    private readonly reviews: Reviews,
    scheme: string,
  ) {
    super();
    this.register(reviews.onDidChange(() => this.changed.fire()));
    this.register(vscode.languages.registerCodeLensProvider([{ scheme }, { scheme: 'file' }], this));
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const reviewed = this.reviews.find(document);
    const { uri } = document;
    const top = new vscode.Range(0, 0, 0, 0);
    const outcome = this.reviews.outcomeOf(document);
    if (!reviewed) return outcome === undefined ? [] : [new vscode.CodeLens(top, { title: outcome, command: '' })];
    const lens = (range: vscode.Range, title: string, command: string, ...args: unknown[]): vscode.CodeLens =>
      new vscode.CodeLens(range, { title, command, arguments: args });
    const several = this.reviews.items.length > 1;
    return [
      lens(top, l10n.t('Accept'), Commands.acceptChange, uri),
      lens(top, l10n.t('Reject'), Commands.rejectChange, uri),
      ...(several
        ? [
            lens(top, l10n.t('Accept All'), Commands.acceptAllChanges),
            lens(top, l10n.t('Reject All'), Commands.rejectAllChanges),
          ]
        : []),
      ...this.reviews.hunksOf(reviewed).flatMap(({ start }) => {
        const line = Math.min(start, document.lineCount - 1);
        const range = new vscode.Range(line, 0, line, 0);
        return [
          lens(range, l10n.t('Accept Hunk'), Commands.acceptHunk, uri, start),
          lens(range, l10n.t('Reject Hunk'), Commands.rejectHunk, uri, start),
        ];
      }),
    ];
  }
}
