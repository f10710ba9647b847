import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { decodeText } from '../../files/text-codec.ts';
import type { RuleDraft } from '../../policy/policy-types.ts';
import type { RewindScope } from '../../protocol/agent/agent-event.ts';
import { ProblemError } from '../../protocol/agent/problem.ts';
import type { ChangeCause, CheckedChange } from '../../sessions/files/file-changes.ts';
import type { RestoreOutcome, RestoreStep } from '../../sessions/files/file-rewind.ts';
import { type FileVersion, type PlannedRestore, planRewind, planUndo } from '../../sessions/files/restore-plan.ts';
import type { FileChange } from '../../sessions/session-history.ts';
import type { SessionJournal } from '../../sessions/session-journal.ts';
import { badInput } from '../problems/message-limits.ts';
import { heldElsewhere } from '../problems/session-problems.ts';

/** Writes, reads and restores the files that a session changes. */
export interface ChangedFiles {
  write(path: string, content: Uint8Array | undefined, cause: ChangeCause, change?: CheckedChange): Promise<void>;
  /** After a restart, settles changes that the log announced and that may not have been made. */
  settle(changes: readonly FileChange[]): Promise<void>;
  preview(plan: readonly PlannedRestore[]): Promise<RestoreStep[]>;
  restore(steps: readonly RestoreStep[], overwrite: ReadonlySet<string>, rewindId: string): Promise<RestoreOutcome[]>;
  /** The file as the user sees it, with the unsaved text of an editor. Undefined if there is no file. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Stores a file's content next to the log. */
  keep(content: Uint8Array | undefined): Promise<FileVersion>;
  /** Undefined for no file, and for content that is no longer stored. */
  kept(version: FileVersion): Promise<Uint8Array | undefined>;
  /** Creates (`from` is null), replaces or removes (`to` is null) a link. Does not follow links. */
  setLink(path: string, from: string | null, to: string | null): Promise<void>;
  setMode(path: string, mode: number): Promise<void>;
}

export interface RewindRequest {
  /** The message to return to. */
  readonly messageId: string;
  readonly what: RewindScope;
  /** Files to restore although somebody else has changed them since. */
  readonly overwrite?: readonly string[];
}

export interface RewindOutcome {
  readonly rewindId: string;
  readonly files: readonly RestoreOutcome[];
}

const notRewound = (): string => l10n.t('Nothing was rewound');

interface Surroundings {
  readonly isRunning: () => boolean;
  /** The other process that has this session open for writing, so that nothing may change here. */
  readonly heldBy: () => string | undefined;
  readonly isTrusted: () => boolean;
  readonly resetState: () => void;
}

/** Returns to a message of the user: the conversation, the files, or both. Can be undone until the next message. */
export class SessionRewind {
  private working: Promise<void> | undefined;

  constructor(
    private readonly journal: SessionJournal,
    private readonly files: ChangedFiles,
    private readonly surroundings: Surroundings,
  ) {}

  /** Settles when the files are restored. Undefined if no rewind or undo is in progress. */
  get underWay(): Promise<void> | undefined {
    return this.working;
  }

  /** What a rewind would do to files. */
  preview(messageId: string): Promise<RestoreStep[]> {
    this.check(messageId);
    const { history } = this.journal;
    return this.files.preview(planRewind(history.fileChanges, history.changesUntil(messageId)));
  }

  /** The text that a file would get back; empty if the file would be removed or the text is no longer stored. */
  async earlierText({ target }: RestoreStep): Promise<string> {
    const content = await this.files.kept(target);
    return content ? decodeText(content).text : '';
  }

  /** The grants since a message, which a rewind would revoke. */
  grantsSince(messageId: string): readonly RuleDraft[] {
    return this.journal.history.grantsSince(messageId);
  }

  rewind(request: RewindRequest): Promise<RewindOutcome> {
    return this.alone(() => this.goBack(request));
  }

  private async goBack({ messageId, what, overwrite = [] }: RewindRequest): Promise<RewindOutcome> {
    const steps = what === 'conversation' ? [] : await this.preview(messageId);
    this.check(messageId);
    this.checkTrust(steps);
    const rewindId = randomUUID();
    // Record the rewind before the files change: if the process is killed in between, the rewind can still be undone.
    this.journal.append({ type: 'rewind', id: rewindId, messageId, what });
    this.surroundings.resetState();
    await this.journal.synced();
    return { rewindId, files: await this.files.restore(steps, new Set(overwrite), rewindId) };
  }

  get canUndo(): boolean {
    return this.journal.history.undoableRewind !== undefined;
  }

  /** What undoing the rewind would do to files. */
  previewUndo(): Promise<RestoreStep[]> {
    return this.files.preview(planUndo(this.journal.history.fileChanges, this.undoable()));
  }

  undo(overwrite: readonly string[] = []): Promise<RewindOutcome> {
    return this.alone(() => this.goForward(overwrite));
  }

  private async goForward(overwrite: readonly string[]): Promise<RewindOutcome> {
    const rewindId = this.undoable();
    const steps = await this.previewUndo();
    this.checkTrust(steps);
    // Restore the files before the record: if the process is killed in between, the rewind can be undone again.
    const files = await this.files.restore(steps, new Set(overwrite), rewindId);
    this.journal.append({ type: 'rewind_undone', rewindId });
    this.surroundings.resetState();
    return { rewindId, files };
  }

  private async alone<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.working) throw badInput(l10n.t('Another rewind is still in progress.'), notRewound());
    const result = work();
    const forget = (): void => {
      this.working = undefined;
    };
    this.working = result.then(forget, forget);
    return result;
  }

  private undoable(): string {
    this.checkIdle();
    const rewindId = this.journal.history.undoableRewind;
    if (rewindId !== undefined) return rewindId;
    throw badInput(l10n.t('There is no rewind to undo: the conversation has continued since then.'), notRewound());
  }

  private check(messageId: string): void {
    this.checkIdle();
    if (this.journal.history.isMessage(messageId)) return;
    throw badInput(
      l10n.t('That message is not part of the conversation, so there is nothing to go back to.'),
      notRewound(),
    );
  }

  /** Nothing is written in an untrusted folder, not even earlier content. */
  private checkTrust(steps: readonly RestoreStep[]): void {
    if (this.surroundings.isTrusted() || steps.every(({ kind }) => kind === 'done')) return;
    throw badInput(l10n.t('This folder is not trusted, so its files are not restored. Trust it first.'), notRewound());
  }

  private checkIdle(): void {
    const holder = this.surroundings.heldBy();
    if (holder !== undefined) throw new ProblemError(heldElsewhere(holder));
    if (this.journal.isClosed) throw badInput(l10n.t('The session was closed.'), notRewound());
    if (this.surroundings.isRunning())
      throw badInput(l10n.t('Gantry is still working. Stop it first, then rewind.'), notRewound());
  }
}
