import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ContentPart } from '../../protocol/agent/content-part.ts';
import { Disposable } from '../base/disposable.ts';
import { withoutLinks } from '../base/escape-ui-text.ts';
import { reportProblem } from '../base/report.ts';
import { isTrustedElse } from '../base/workspace.ts';
import type { Attachments, NewAttachment } from '../context/attachments.ts';
import { filesWords, Requests } from '../git/action-texts.ts';
import { digestOf } from '../git/change-digest.ts';
import { CommitMessages } from '../git/commit-message.ts';
import { pickRepository } from '../git/pick-repository.ts';
import { readChanges, uncommitted } from '../git/repository-changes.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import type { PanelSession } from '../session/panel-session.ts';
import {
  fileAttachment,
  nameInSentence,
  problemsAttachment,
  problemsIn,
  selectionAttachment,
} from './action-context.ts';
import { inputWords } from './prompt-uri.ts';

export interface ActionTargets {
  readonly session: PanelSession;
  readonly chat: { reveal(): Promise<void>; focus(): Promise<void> };
  readonly attachments: Attachments;
}

/**
 * Commands that start from the editor. Each sends the message that the user would have typed in the panel, with the
 * file, code or problems attached. A draft in the panel's input is kept.
 */
export class EditorActions {
  constructor(private readonly targets: ActionTargets) {}

  /** Explains the problems in a range, the selection, or the whole file. */
  async explain(...from: readonly unknown[]): Promise<void> {
    const place = await placeFor(from);
    if (!place) return;
    const { document, range, selection } = place;
    const problems = range ? problemsIn(document.uri, range) : [];
    if (problems.length > 0) {
      await this.submit(Requests.explainProblem(problems.length), await problemsAttachment(document.uri, problems));
    } else if (selection) {
      await this.submit(Requests.explainSelection, selectionAttachment(document, selection));
    } else {
      await this.submit(Requests.explainFile, fileAttachment(document.uri));
    }
  }

  /** Explains the whole file, whatever is selected in it. */
  async explainFile(...from: readonly unknown[]): Promise<void> {
    const place = await placeFor(from);
    if (place) await this.submit(Requests.explainFile, fileAttachment(place.document.uri));
  }

  /** Fixes the problems in a range, or all errors and warnings of the file. */
  async fix(...from: readonly unknown[]): Promise<void> {
    const place = await placeFor(from);
    if (
      !place ||
      !(await isTrustedElse(l10n.t('Fixing problems is off: this folder is not trusted, so Gantry can only read it.')))
    )
      return;
    const { document, range } = place;
    const problems = problemsIn(document.uri, range);
    if (problems.length === 0) {
      const text = l10n.t('There are no errors or warnings in {0}.', nameInSentence(document.uri));
      void vscode.window.showInformationMessage(withoutLinks(text));
      return;
    }
    const request = range ? Requests.fixProblem(problems.length) : Requests.fixFile;
    await this.submit(request, await problemsAttachment(document.uri, problems));
  }

  async generateTests(...from: readonly unknown[]): Promise<void> {
    const place = await placeFor(from);
    if (
      !place ||
      !(await isTrustedElse(l10n.t('Writing tests is off: this folder is not trusted, so Gantry can only read it.')))
    )
      return;
    const { document, selection } = place;
    if (selection) await this.submit(Requests.testSelection, selectionAttachment(document, selection));
    else await this.submit(Requests.testFile, fileAttachment(document.uri));
  }

  /** Starts a new session with the file attached. The user writes the message. */
  async newSessionFrom(...from: readonly unknown[]): Promise<void> {
    const { session, chat, attachments } = this.targets;
    const uri = uriOf(from) ?? vscode.window.activeTextEditor?.document.uri;
    if (!uri) return reportNoFile();
    await session.startNew();
    attachments.add(fileAttachment(uri));
    await chat.focus();
  }

  async reviewUncommitted(from?: unknown): Promise<void> {
    const repository = await pickRepository(from);
    if (!repository) return;
    await repository.status();
    const changes = uncommitted(repository);
    if (changes.length === 0) {
      await vscode.window.showInformationMessage(l10n.t('There are no uncommitted changes to review.'));
      return;
    }
    const files = await readChanges(repository, changes);
    const label = filesWords(files);
    await this.submit(Requests.review, { kind: 'changes', label, content: { text: digestOf(files) } });
  }

  /** Puts text into the input without sending it. The links of the walkthrough use this. */
  fillInput(text: string): void {
    const words = inputWords(text);
    if (words !== '') this.targets.session.returnText(words);
  }

  /** Sends a message, or queues it during a run. If the panel was not opened yet, restores its last session first. */
  private async submit(text: string, about: NewAttachment): Promise<void> {
    const { session, chat, attachments } = this.targets;
    await chat.reveal();
    await session.restore();
    const parts = async (): Promise<readonly ContentPart[]> => [await attachments.partFor(about)];
    await reportProblem(await session.send(text, session.isRunning ? 'queue' : undefined, parts));
  }
}

interface Place {
  readonly document: vscode.TextDocument;
  /** The range within the document, if the caller passed one: a Quick Fix does. */
  readonly range?: vscode.Range;
  /** The selection of the active editor, if it shows the document and is not empty. */
  readonly selection?: vscode.Selection;
}

/** Menus pass the file they were opened on, a Quick Fix also a range. The Command Palette uses the active editor. */
async function placeFor(from: readonly unknown[]): Promise<Place | undefined> {
  const editor = vscode.window.activeTextEditor;
  const uri = uriOf(from) ?? editor?.document.uri;
  if (!uri) {
    await reportNoFile();
    return undefined;
  }
  const document = await vscode.workspace.openTextDocument(uri);
  const range = from.find((value) => value instanceof vscode.Range);
  const isActive = editor?.document === document && !editor.selection.isEmpty;
  return { document, ...(range && { range }), ...(isActive && { selection: editor.selection }) };
}

function uriOf(from: readonly unknown[]): vscode.Uri | undefined {
  return from.find((value) => value instanceof vscode.Uri);
}

async function reportNoFile(): Promise<void> {
  await vscode.window.showInformationMessage(l10n.t('Open a file first, or use the menu of a file in the Explorer.'));
}

/** The implementation of the commands in editors and in Source Control, loaded on first use. */
export class RequestedActions extends Disposable {
  readonly editor: EditorActions;
  readonly commits: CommitMessages;

  constructor(targets: ActionTargets, runtime: RuntimeLoader) {
    super();
    this.editor = new EditorActions(targets);
    this.commits = this.register(new CommitMessages(runtime));
  }
}
