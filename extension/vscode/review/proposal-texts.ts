import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { withLf } from '../../files/line-ends.ts';
import { type Problem, ProblemError } from '../../protocol/agent/problem.ts';
import { Disposable } from '../base/disposable.ts';
import { whileBusy } from '../editor/document-edit.ts';
import { applyText } from '../editor/open-documents.ts';
import { PROPOSAL_SCHEME } from './diff-tabs.ts';
import { ProposalFiles } from './proposal-files.ts';

/** Long enough not to save between two key presses, short enough that closing the tab rarely asks to save. */
const SAVE_AFTER_MS = 400;

/** If more attempts were needed, something changes the text on every save. */
const SAVE_ATTEMPTS = 3;

/** The texts of proposals, in documents that the user can edit. */
export class ProposalTexts extends Disposable {
  private readonly files: ProposalFiles;
  private readonly changed = this.register(new vscode.EventEmitter<vscode.Uri>());
  private readonly saves = new Map<string, NodeJS.Timeout>();
  /** Texts that are no longer needed but still shown by a document. */
  private readonly ended = new Set<string>();

  /** The user edited a text, undid an edit, or rejected a hunk. */
  readonly onDidChange = this.changed.event;

  constructor(readonly scheme: string = PROPOSAL_SCHEME) {
    super();
    this.files = this.register(new ProposalFiles(scheme));
    this.register(vscode.workspace.onDidChangeTextDocument(({ document }) => this.note(document)));
    this.register(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.closed(uri)));
    this.register({
      dispose: () => {
        for (const timer of this.saves.values()) clearTimeout(timer);
      },
    });
  }

  /** Adds a text that was not shown before. */
  put(uri: vscode.Uri, text: string): void {
    this.ended.delete(uri.toString());
    this.files.put(uri, text);
  }

  get(uri: vscode.Uri): string {
    return documentAt(uri)?.getText() ?? this.files.textOf(uri) ?? '';
  }

  isOpen(uri: vscode.Uri): boolean {
    return documentAt(uri) !== undefined;
  }

  /** Changes a text; Undo restores the earlier one. Returns false if the user typed and the text is not as expected. */
  async set(uri: vscode.Uri, text: string, expected: string = this.get(uri)): Promise<boolean> {
    const outcome = await whileBusy(async () => {
      const document = documentAt(uri);
      if (!document) {
        this.files.put(uri, text);
        return true;
      }
      if (document.getText() !== expected) return false;
      const wanted = document.eol === vscode.EndOfLine.CRLF ? withLf(text).replaceAll('\n', '\r\n') : withLf(text);
      if (!(await applyText(document, wanted))) return undefined;
      await this.save(uri);
      return true;
    });
    if (outcome === undefined) throw new ProblemError(notAccepted());
    return outcome;
  }

  /** Saves a document, so that closing its tab does not ask. */
  async save(uri: vscode.Uri): Promise<void> {
    clearTimeout(this.saves.get(uri.toString()));
    this.saves.delete(uri.toString());
    const document = documentAt(uri);
    // Saves even if the document seems saved, because VS Code reports a change before it reports that the document is
    // dirty. Text typed during the save leaves it dirty.
    for (let attempt = 0; document && attempt < SAVE_ATTEMPTS; attempt++) {
      await document.save();
      if (!document.isDirty) return;
    }
  }

  /** Removes a text as soon as no document shows it. */
  end(uri: vscode.Uri): void {
    if (!documentAt(uri)) this.files.remove(uri);
    else this.ended.add(uri.toString());
  }

  private note(document: vscode.TextDocument): void {
    const { uri } = document;
    if (uri.scheme !== this.scheme || this.files.textOf(uri) === undefined) return;
    const key = uri.toString();
    if (document.isDirty) {
      clearTimeout(this.saves.get(key));
      this.saves.set(
        key,
        setTimeout(() => void this.save(uri), SAVE_AFTER_MS),
      );
    }
    this.changed.fire(uri);
  }

  private closed(uri: vscode.Uri): void {
    if (this.ended.delete(uri.toString())) this.files.remove(uri);
  }
}

function documentAt(uri: vscode.Uri): vscode.TextDocument | undefined {
  const key = uri.toString();
  return vscode.workspace.textDocuments.find((document) => !document.isClosed && document.uri.toString() === key);
}

const notAccepted = (): Problem => ({
  kind: 'bad-input',
  title: l10n.t('The proposal was not updated'),
  detail: l10n.t(
    'VS Code did not accept the edit. Your text is kept. Close the editor of the proposal, then try again.',
  ),
  actions: [],
});
