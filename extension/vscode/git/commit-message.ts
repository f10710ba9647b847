import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ProblemError } from '../../protocol/agent/problem.ts';
import { Disposable } from '../base/disposable.ts';
import { warnOfProblem } from '../base/report.ts';
import { isTrustedElse } from '../base/workspace.ts';
import { BuiltIn, ContextKeys } from '../names.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import { COMMIT_INSTRUCTION, cleanCommitMessage, commitPrompt } from './commit-prompt.ts';
import type { GitRepository } from './git-api.ts';
import { pickRepository } from './pick-repository.ts';
import { readChanges, toBeCommitted } from './repository-changes.ts';

/** Writes commit messages into the inputs of the Source Control view, without a session. */
export class CommitMessages extends Disposable {
  /** The messages that are being written, by the root of their repository. */
  private readonly writing = new Map<string, AbortController>();

  constructor(private readonly runtime: Pick<RuntimeLoader, 'load'>) {
    super();
    this.register({ dispose: () => this.stop() });
  }

  /** `from` is the `SourceControl` whose menu was used, if any. */
  async generate(from?: unknown): Promise<void> {
    if (
      !(await isTrustedElse(
        l10n.t('Writing a commit message is off: this folder is not trusted, so Gantry can only read it.'),
      ))
    )
      return;
    const repository = await pickRepository(from);
    if (!repository) return;
    const root = repository.rootUri.toString();
    if (this.writing.has(root)) return;
    const stopped = new AbortController();
    this.setWriting(root, stopped);
    try {
      const location = vscode.ProgressLocation.SourceControl;
      await vscode.window.withProgress({ location, title: l10n.t('Gantry: Commit Message') }, () =>
        this.write(repository, stopped.signal),
      );
    } catch (error) {
      if (!stopped.signal.aborted) await reportFailed(error);
    } finally {
      this.setWriting(root, undefined);
    }
  }

  stop(): void {
    for (const stopped of this.writing.values()) stopped.abort();
  }

  private setWriting(root: string, stopped: AbortController | undefined): void {
    if (stopped) this.writing.set(root, stopped);
    else this.writing.delete(root);
    void vscode.commands.executeCommand(BuiltIn.setContext, ContextKeys.writingCommit, this.writing.size > 0);
  }

  private async write(repository: GitRepository, signal: AbortSignal): Promise<void> {
    const { inputBox } = repository;
    const draft = inputBox.value;
    await repository.status();
    const changes = toBeCommitted(repository);
    if (changes.length === 0) {
      void vscode.window.showInformationMessage(l10n.t('There are no changes to write a commit message for.'));
      return;
    }
    const files = await readChanges(repository, changes);
    const text = commitPrompt({ files, lastMessages: await lastMessages(repository), draft }, randomUUID());
    signal.throwIfAborted();
    const service = await this.runtime.load();
    const answer = await service.complete(
      { what: l10n.t('A commit message'), instruction: COMMIT_INSTRUCTION, text },
      signal,
    );
    const message = cleanCommitMessage(answer);
    signal.throwIfAborted();
    if (message === '') throw new Error(l10n.t('The model answered without a message.'));
    if (inputBox.value === draft) fill(inputBox, draft, message);
    else void offer(inputBox, message);
  }
}

/** Returns no messages for a repository without commits, because it has no log. */
async function lastMessages(repository: GitRepository): Promise<readonly string[]> {
  const commits = await repository.log({ maxEntries: 10 }).catch(() => []);
  return commits.map(({ message }) => message);
}

/** Undo in the input also restores the draft. The button is for users who do not think of it. */
function fill(inputBox: GitRepository['inputBox'], draft: string, message: string): void {
  inputBox.value = message;
  if (draft.trim() !== '') void offerDraft(inputBox, draft);
}

async function offerDraft(inputBox: GitRepository['inputBox'], draft: string): Promise<void> {
  const restore = l10n.t('Restore Draft');
  const choice = await vscode.window.showInformationMessage(
    l10n.t('Gantry completed the message that you started.'),
    restore,
  );
  if (choice === restore) inputBox.value = draft;
}

/** Offers the message if the user has typed meanwhile, and keeps their text. */
async function offer(inputBox: GitRepository['inputBox'], message: string): Promise<void> {
  const [replace, copy] = [l10n.t('Replace'), l10n.t('Copy')];
  const text = l10n.t('The commit message is ready. The input has changed in the meantime, so it was kept.');
  const choice = await vscode.window.showInformationMessage(text, replace, copy);
  if (choice === replace) fill(inputBox, inputBox.value, message);
  if (choice === copy) await vscode.env.clipboard.writeText(message);
}

async function reportFailed(error: unknown): Promise<void> {
  if (!ProblemError.is(error)) throw error;
  const { title, detail, actions } = error.problem;
  // The details of a problem that can be retried refer to a message in the panel.
  const text = actions.includes('retry')
    ? l10n.t('The commit message was not written: {0}. The input was not changed.', title)
    : `${title}. ${detail}`;
  await warnOfProblem(text, actions);
}
