import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { InOrder } from '../../base/in-order.ts';
import type { Logger } from '../../ports/logger.ts';
import { BuiltIn } from '../names.ts';
import { closeTabs, columnFor, diffTabs } from './diff-tabs.ts';
import type { ProposalTexts } from './proposal-texts.ts';
import type { ProposedFile } from './proposed-file.ts';

export interface ProposalDiffParts {
  readonly texts: ProposalTexts;
  readonly log: Logger;
  /** The pending files, in order. */
  waiting(): readonly ProposedFile[];
  /** Whether diffs open automatically. */
  opensByItself(): boolean;
  userIsInEditor(): boolean;
  shown(file: ProposedFile): Promise<void>;
  notShown(file: ProposedFile, error: unknown): Promise<void>;
  /** Defaults to VS Code's diff editor. */
  compare?(
    before: vscode.Uri,
    after: vscode.Uri,
    title: string,
    options: vscode.TextDocumentShowOptions,
  ): Thenable<void>;
}

/** The diff editors of proposals. One at a time opens automatically, and they close when their question is answered. */
export class ProposalDiffs {
  /** Files whose diff was opened once: if the user closes the tab, it stays closed. */
  private readonly offered = new Set<string>();
  private readonly moves = new InOrder();

  constructor(private readonly parts: ProposalDiffParts) {
    // Tabs from before a reload show texts that no longer exist.
    this.inOrder(() => closeTabs(diffTabs(parts.texts.scheme)));
  }

  async open(file: ProposedFile, preserveFocus: boolean): Promise<void> {
    this.offered.add(file.key);
    const place = diffTabs(file.uri)[0]?.group.viewColumn;
    const column = preserveFocus ? columnFor(this.parts.userIsInEditor()) : vscode.ViewColumn.Active;
    await this.show(file, { preserveFocus, viewColumn: place ?? column });
  }

  /** Closes the diffs of answered questions. The next diff opens in their place. */
  replace(gone: readonly ProposedFile[]): void {
    this.inOrder(async () => {
      const { texts } = this.parts;
      const tabs = gone.flatMap(({ uri }) => diffTabs(uri));
      await this.offerNext(tabs);
      for (const { key, uri } of gone) {
        this.offered.delete(key);
        await texts.save(uri);
      }
      await closeTabs(gone.flatMap(({ uri }) => diffTabs(uri)));
      for (const { uri, beforeUri } of gone) {
        texts.end(uri);
        texts.end(beforeUri);
      }
    });
  }

  private async offerNext(closing: readonly vscode.Tab[]): Promise<void> {
    const { texts, waiting, opensByItself, userIsInEditor } = this.parts;
    const next = waiting().find(({ key }) => !this.offered.has(key));
    if (!next || !opensByItself()) return;
    if (diffTabs(texts.scheme).some((tab) => !closing.includes(tab))) return;
    this.offered.add(next.key);
    const place = closing.find(({ isActive }) => isActive)?.group.viewColumn;
    await this.show(next, { preserveFocus: true, viewColumn: place ?? columnFor(userIsInEditor()) });
  }

  private async show(file: ProposedFile, options: vscode.TextDocumentShowOptions): Promise<void> {
    const { beforeUri, uri, edit } = file;
    const { waiting, compare = openDiff } = this.parts;
    if (!waiting().includes(file)) return;
    try {
      // Opens only the document that may fail, because VS Code keeps documents opened this way for minutes.
      if (edit.before !== null) await vscode.workspace.openTextDocument(beforeUri);
      await compare(beforeUri, uri, l10n.t('{0} (proposed)', basename(edit.path)), { ...options, preview: false });
    } catch (error) {
      return this.parts.notShown(file, error);
    }
    // The question may have been answered while the diff opened.
    if (waiting().includes(file)) await this.parts.shown(file);
    else this.replace([file]);
  }

  private inOrder(work: () => Promise<void>): void {
    this.moves.run(work).catch((error: unknown) => this.parts.log.error('A diff could not be opened or closed', error));
  }
}

const openDiff: NonNullable<ProposalDiffParts['compare']> = (...sides) =>
  vscode.commands.executeCommand(BuiltIn.diff, ...sides);
