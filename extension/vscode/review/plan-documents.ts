import { basename } from 'node:path';
import * as vscode from 'vscode';
import { Disposable } from '../base/disposable.ts';
import type { PanelSession } from '../session/panel-session.ts';
import type { ReviewComments } from './review-comments.ts';

interface OpenPlan {
  readonly uri: vscode.Uri;
  /** The id of the entry that contains the question. */
  readonly entryId: string;
  readonly requestId: string;
  /** The plan as proposed. */
  readonly proposed: string;
  /** The plan with the user's edits. */
  text: string;
}

/** Shows plans that require approval in editors. Edits and comments are part of the answer, wherever it is given. */
export class PlanDocuments extends Disposable {
  private readonly plans = new Map<string, OpenPlan>();

  constructor(
    private readonly session: PanelSession,
    private readonly comments: ReviewComments,
  ) {
    super();
    this.register(session.onDidChangeTranscript(() => this.tidy()));
    this.register(session.onDidReplace(() => this.tidy()));
    this.register(comments.onDidChange((uri) => this.draft(this.plans.get(uri.toString()))));
    this.register(
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.take(document.uri, document.getText())),
    );
    this.register(vscode.workspace.onDidCloseTextDocument(({ uri }) => void this.closed(uri)));
  }

  /** Opens the plan of a question of the session shown. */
  async show(requestId: string): Promise<void> {
    const entry = this.session.entries.find(
      (other) => other.kind === 'tool' && other.approval?.requestId === requestId,
    );
    const details = entry?.kind === 'tool' ? entry.approval?.request?.details : undefined;
    if (!entry || details?.type !== 'plan') return;
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(details.path));
    const { uri } = document;
    this.plans.set(uri.toString(), { uri, entryId: entry.id, requestId, proposed: details.text, text: details.text });
    this.take(uri, document.getText());
    this.comments.refresh();
    await vscode.window.showTextDocument(document, { preview: false });
  }

  isPlan({ uri }: { readonly uri: vscode.Uri }): boolean {
    return this.plans.has(uri.toString());
  }

  private take(uri: vscode.Uri, text: string): void {
    const plan = this.plans.get(uri.toString());
    if (!plan) return;
    plan.text = text;
    this.draft(plan);
  }

  /** Closing the document discards unsaved edits. */
  private async closed(uri: vscode.Uri): Promise<void> {
    if (this.isPlan({ uri })) this.take(uri, Buffer.from(await vscode.workspace.fs.readFile(uri)).toString());
  }

  private draft(plan: OpenPlan | undefined): void {
    if (!plan) return;
    const { uri, requestId, proposed, text } = plan;
    const feedback = this.comments.textOf(uri, basename(uri.fsPath), text);
    this.session.open?.edits.draft(requestId, {
      ...(text.trim() !== '' && text !== proposed && { plan: text }),
      ...(feedback !== '' && { feedback }),
    });
  }

  /** Forgets plans whose question was answered. */
  private tidy(): void {
    for (const [key, { uri, entryId, requestId }] of this.plans) {
      const entry = this.session.entry(entryId);
      if (entry?.kind === 'tool' && entry.approval?.requestId === requestId) continue;
      this.plans.delete(key);
      this.comments.end(uri);
      this.comments.refresh();
    }
  }
}
