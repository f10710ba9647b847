import type {
  CodeAction,
  CodeLens,
  CompletionItem,
  Diagnostic,
  DocumentLink,
  DocumentSymbol,
  FoldingRange,
  Hover,
  InlayHint,
  Location,
  Range,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver';
import type { ConfigDocument } from './config-document.ts';
import type { NameUse } from './names.ts';
import type { SemanticToken } from './semantic-tokens.ts';
import type { Workspace } from './workspace.ts';

type Answer<T> = T | Promise<T>;

/**
 * What the server knows about one kind of file. `offset` is where the cursor is. Answers are for the text of `file`;
 * the server drops those that come too late.
 */
export interface LanguageSupport {
  problems(file: ConfigDocument, workspace: Workspace): Answer<readonly Diagnostic[]>;
  completions?(file: ConfigDocument, offset: number, workspace: Workspace): Answer<readonly CompletionItem[]>;
  hover?(file: ConfigDocument, offset: number, workspace: Workspace): Answer<Hover | undefined>;
  /**
   * The names of servers and agents that the file defines or mentions. Definitions, references and renaming of these
   * names are the same in all kinds of files, so a language doesn't have to answer about them.
   */
  names?(file: ConfigDocument): readonly NameUse[];
  definitions?(file: ConfigDocument, offset: number, workspace: Workspace): Answer<readonly Location[]>;
  references?(file: ConfigDocument, offset: number, workspace: Workspace): Answer<readonly Location[]>;
  /** The name under the cursor that can be changed. */
  renameRange?(file: ConfigDocument, offset: number, workspace: Workspace): Answer<Range | undefined>;
  rename?(
    file: ConfigDocument,
    offset: number,
    newName: string,
    workspace: Workspace,
  ): Answer<WorkspaceEdit | undefined>;
  actions?(file: ConfigDocument, range: Range, workspace: Workspace): Answer<readonly CodeAction[]>;
  lenses?(file: ConfigDocument, workspace: Workspace): Answer<readonly CodeLens[]>;
  links?(file: ConfigDocument, workspace: Workspace): Answer<readonly DocumentLink[]>;
  hints?(file: ConfigDocument, range: Range, workspace: Workspace): Answer<readonly InlayHint[]>;
  outline?(file: ConfigDocument, workspace: Workspace): Answer<readonly DocumentSymbol[]>;
  folding?(file: ConfigDocument): Answer<readonly FoldingRange[]>;
  format?(file: ConfigDocument): Answer<readonly TextEdit[]>;
  tokens?(file: ConfigDocument): Answer<readonly SemanticToken[]>;
}
