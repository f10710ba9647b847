import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { EditorPort } from '../../extension/ports/editor.ts';
import { openDocument, unsavedText } from '../../extension/vscode/editor/open-documents.ts';
import { EditorReview } from '../../extension/vscode/review/editor-review.ts';
import type { ReviewItem } from '../../extension/vscode/review/review-source.ts';
import { type ChunkStep, call, together } from '../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../support/gemini/server.ts';
import { eventually } from '../support/poll.ts';
import { createTempWorkspace, type TempWorkspace } from '../support/temp-workspace.ts';
import { testHost } from '../support/test-host.ts';
import { PanelWindow, stateIn } from './panel-window.ts';

/** A window with a scripted model that proposes edits, and the review of them. */
export class ReviewDesk {
  /** The extension beside the tests has the real one, and VS Code keeps documents of earlier tests for minutes. */
  private readonly scheme = `gantry-test-${randomUUID()}`;
  window: PanelWindow;
  review: EditorReview;
  private readonly kept = new Map<string, unknown>();
  private other: TempWorkspace | undefined;

  private constructor(
    readonly workspace: TempWorkspace,
    readonly gemini: GeminiEndpoint,
    private readonly editor: EditorPort | undefined,
  ) {
    this.window = this.newWindow();
    this.review = this.newReview();
  }

  /** With an editor there are tools that use it. */
  static async create(
    files: Readonly<Record<string, string | Uint8Array>> = {},
    editor?: EditorPort,
  ): Promise<ReviewDesk> {
    const desk = new ReviewDesk(await createTempWorkspace(), await startGeminiEndpoint(), editor);
    await desk.workspace.write(files);
    desk.window.end.say({ type: 'ready' });
    return desk;
  }

  path(name: string): string {
    return join(this.workspace.path, name);
  }

  /** A second folder of the workspace. */
  async addRoot(files: Readonly<Record<string, string>>): Promise<void> {
    this.other = await createTempWorkspace(files);
    await this.reload();
  }

  pathInOther(name: string): string {
    return join(this.other?.path ?? '', name);
  }

  text(name: string): Promise<string> {
    return readFile(this.path(name), 'utf8');
  }

  /** The model asks for these calls at once; resolves when this many files wait. */
  async propose(calls: readonly ChunkStep[], files = calls.length): Promise<readonly ReviewItem[]> {
    this.gemini.reply(together(...calls));
    this.gemini.reply('Done.');
    this.window.end.say({ type: 'send', ref: 1, text: 'Change it' });
    return this.waiting(files);
  }

  async waiting(files: number): Promise<readonly ReviewItem[]> {
    return eventually(`${files} files that wait`, () => {
      const { items } = this.review.reviews;
      return items.length === files && items;
    });
  }

  /** The document with the proposal, once its diff is open. */
  async shown(name: string): Promise<vscode.TextDocument> {
    return eventually(`the diff of ${name}`, () => {
      const tab = this.tab(name);
      if (!tab) return undefined;
      const { modified } = tab.input as vscode.TabInputTextDiff;
      return vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === modified.toString());
    });
  }

  tab(name: string): vscode.Tab | undefined {
    return this.tabs.find(({ input }) => (input as vscode.TabInputTextDiff).modified.path.endsWith(`/${name}`));
  }

  get tabs(): readonly vscode.Tab[] {
    return vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .filter(({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.scheme === this.scheme);
  }

  /** As the user would, in the document with the proposal or in any other. */
  async type(document: vscode.TextDocument, line: number, text: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(line, 0), text);
    // It says no while it still takes in what the disk has, and then nothing was changed.
    await eventually('VS Code to take the edit', async () => vscode.workspace.applyEdit(edit));
  }

  /** What the model got in the end. */
  async told(): Promise<string> {
    await this.window.end.waitUntil(() => this.window.end.state?.running === false && this.gemini.requests.length > 1);
    return JSON.stringify(this.gemini.requests.at(-1)?.toolResults);
  }

  /** A click on the card of the only question. */
  async onCard(decision: string | undefined): Promise<void> {
    const entry = this.window.session.entries.find((other) => other.kind === 'tool' && other.approval);
    const requestId = entry?.kind === 'tool' ? (entry.approval?.requestId ?? '') : '';
    this.window.end.say({ type: 'answer', requestId, ...(decision !== undefined && { decision }) });
  }

  renewReview(): void {
    this.review.dispose();
    this.review = this.newReview();
  }

  /** What VS Code keeps of it for the next window. */
  get keptDrafts(): unknown {
    return this.kept.get('gantry.proposalDrafts');
  }

  /** The window may take its time to go. */
  async reload(reviewGoes: 'first' | 'last' = 'first'): Promise<void> {
    if (reviewGoes === 'first') this.review.dispose();
    await this.window.close();
    this.review.dispose();
    this.window = this.newWindow();
    this.review = this.newReview();
    this.window.end.say({ type: 'ready' });
  }

  async dispose(): Promise<void> {
    await this.window.session.stop();
    await eventually('the diffs to close', () => this.tabs.length === 0);
    const isUnsaved = ({ uri, isDirty }: vscode.TextDocument): boolean => uri.scheme === this.scheme && isDirty;
    await eventually('the proposals to be saved', () => !vscode.workspace.textDocuments.some(isUnsaved));
    this.review.dispose();
    await this.window.close();
    for (const document of vscode.workspace.textDocuments.filter(
      ({ uri, isDirty }) => isDirty && uri.scheme === 'file',
    )) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('notifications.clearAll');
    await this.gemini.dispose();
    await this.workspace.dispose();
    await this.other?.dispose();
  }

  private newWindow(): PanelWindow {
    const host = testHost({
      roots: [this.workspace.path, ...(this.other ? [this.other.path] : [])],
      sessions: join(this.workspace.path, '.sessions'),
      baseUrl: this.gemini.url,
    });
    const { editor } = this;
    return new PanelWindow({ ...host, files: { unsavedText, openDocument }, ...(editor && { editor }) }, this.kept);
  }

  private newReview(): EditorReview {
    const { session } = this.window;
    return new EditorReview(session, stateIn(this.kept), testHost().log, this.scheme);
  }
}

export function writeFile(file_path: string, content: string): ChunkStep {
  return call('write_file', { file_path, content });
}

export function replace(file_path: string, old_string: string, new_string: string): ChunkStep {
  return call('replace', { file_path, old_string, new_string, instruction: 'Test' });
}
