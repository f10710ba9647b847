import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { InOrder } from '../../base/in-order.ts';
import { FileFailure, failureText } from '../../files/file-failure.ts';
import { contains } from '../../files/real-path.ts';
import { decodeText } from '../../files/text-codec.ts';
import type { AuditEntry } from '../../policy/audit/audit-log.ts';
import { ProblemError } from '../../protocol/agent/problem.ts';
import { hashOf } from '../../sessions/files/blob-store.ts';
import type { SessionJournal } from '../../sessions/session-journal.ts';
import type { RecordOf } from '../../sessions/session-record.ts';
import type { ChangedFiles } from '../changes/session-rewind.ts';
import { badInput } from '../problems/message-limits.ts';
import { heldElsewhere } from '../problems/session-problems.ts';
import type { FileState } from './file-state.ts';
import type { ProtectedChange } from './protected-watch.ts';

type ChangedRecord = RecordOf<'protected_changed'>;
type StoredChange = ChangedRecord['files'][number];
type Version = StoredChange['before'];
type PutBack = RecordOf<'protected_put_back'>['files'][number];

/** The command that was running when the files changed. */
export interface ChangedBy {
  readonly callId: string;
  readonly command: string;
  /** Whether the result of the call tells the model about the change. */
  readonly inResult: boolean;
}

interface Surroundings {
  readonly heldBy: () => string | undefined;
  readonly isTrusted: () => boolean;
  /** Absolute real paths. */
  readonly roots: () => readonly string[];
  readonly audit: (callId: string, command: string, entry: AuditEntry) => void;
}

/** More than anyone reads. */
const MAX_LISTED = 20;

const notPutBack = (): string => l10n.t('Nothing was put back');

/** Protected files that changed while commands of a session ran: records the changes and restores the files. */
export class ProtectedChanges {
  /** Ensures that two requests at the same time restore the files once. */
  private readonly inOrder = new InOrder();

  constructor(
    private readonly journal: SessionJournal,
    private readonly files: ChangedFiles,
    private readonly surroundings: Surroundings,
  ) {}

  /** Records the changes in the log, which also reports them to everyone who follows the session. */
  async report(changes: readonly ProtectedChange[], by: ChangedBy): Promise<void> {
    const audited = changes.map(({ path, kind }) => ({ path, change: kind }));
    this.surroundings.audit(by.callId, by.command, { what: 'protected_changed', files: audited });
    const listed = changes.slice(0, MAX_LISTED);
    const files = await Promise.all(listed.map((change) => this.store(change)));
    const more = changes.length - listed.length;
    if (this.journal.isClosed) return;
    this.journal.append({ type: 'protected_changed', id: randomUUID(), ...by, files, ...(more > 0 && { more }) });
  }

  /**
   * The earlier text of the file, for comparison with the current one. Undefined for a change that is not in the log.
   */
  async earlierText(id: string, path: string): Promise<string | undefined> {
    const before = this.change(id)?.files.find((file) => file.path === path)?.before;
    if (before === undefined) return undefined;
    if (before?.link !== undefined) return before.link;
    const content = await this.files.kept(before?.hash ?? null);
    return content ? decodeText(content).text : '';
  }

  /** Restores the files that are still as the command left them. The outcome is recorded in the log. */
  putBack(id: string): Promise<void> {
    return this.inOrder.run(() => this.putBackNow(id));
  }

  private async putBackNow(id: string): Promise<void> {
    const change = this.check(id);
    const isBack = new Set(this.outcomes(id).flatMap(({ path, outcome }) => (outcome === 'back' ? [path] : [])));
    const wanted = change.files.filter(({ path, restorable }) => restorable && !isBack.has(path));
    const files: PutBack[] = [];
    for (const file of wanted) files.push(await this.restore(file));
    if (files.length === 0) return;
    this.surroundings.audit(change.callId, change.command, { what: 'put_back', files });
    this.journal.append({ type: 'protected_put_back', id, files });
  }

  private async store({ path, name, what, kind, before, after }: ProtectedChange): Promise<StoredChange> {
    const [was, is] = await Promise.all([this.version(before), this.version(after)]);
    const isInside = this.surroundings.roots().some((root) => contains(root, path));
    const isStored =
      was === null || was.link !== undefined || (before?.kind === 'file' && before.content !== undefined);
    const isKnown = is === null || is.link !== undefined || is.hash !== undefined;
    return { path, name, what, kind, before: was, after: is, restorable: isInside && isStored && isKnown };
  }

  private async version(state: FileState | undefined): Promise<Version> {
    if (!state) return null;
    if (state.kind === 'link') return { link: state.target };
    if (state.kind === 'other') return {};
    const { content, hash, mode } = state;
    if (content) await this.files.keep(content);
    return { mode, ...(hash !== undefined && { hash }) };
  }

  private async restore({ path, before, after }: StoredChange): Promise<PutBack> {
    const { files } = this;
    try {
      if (before?.link !== undefined) {
        if (after?.hash !== undefined) await this.write(path, after.hash, null);
        await files.setLink(path, after?.link ?? null, before.link);
      } else {
        if (after?.link !== undefined) await files.setLink(path, after.link, null);
        await this.write(path, after?.hash ?? null, before?.hash ?? null);
        if (before?.mode !== undefined) await files.setMode(path, before.mode);
      }
      return { path, outcome: 'back' };
    } catch (error) {
      if (error instanceof FileFailure && error.kind === 'changed_meanwhile') return { path, outcome: 'again' };
      return { path, outcome: 'failed', reason: failureText(error) };
    }
  }

  /** Records both the command's change and this one, so that a rewind knows that the file is as it was. */
  private async write(path: string, from: string | null, to: string | null): Promise<void> {
    const { files, journal } = this;
    const content = to === null ? undefined : await files.kept(to);
    if (to !== null && content === undefined) throw new Error(l10n.t('Its earlier content is no longer stored.'));
    const there = await files.read(path);
    const version = hashOf(there);
    if (version === to) return;
    if (version !== from) throw new FileFailure('changed_meanwhile');
    const reviewId = randomUUID();
    journal.append({ type: 'file_change', path, before: to, after: from, reviewId });
    const text = (bytes: Uint8Array | undefined): string | null => (bytes ? decodeText(bytes).text : null);
    let current = from;
    try {
      await files.write(
        path,
        content,
        { reviewId },
        { expected: text(there), text: text(content) ?? '', version: from },
      );
      current = to;
    } finally {
      if (current !== to) journal.append({ type: 'file_change', path, before: from, after: to, reviewId });
      journal.append({ type: 'reviewed', id: reviewId, path, baseline: to, current: to });
    }
  }

  private change(id: string): ChangedRecord | undefined {
    return this.journal.history.protectedChanges.get(id)?.change;
  }

  private outcomes(id: string): readonly PutBack[] {
    return this.journal.history.protectedChanges.get(id)?.putBack ?? [];
  }

  private check(id: string): ChangedRecord {
    const { heldBy, isTrusted } = this.surroundings;
    const holder = heldBy();
    if (holder !== undefined) throw new ProblemError(heldElsewhere(holder));
    if (this.journal.isClosed) throw badInput(l10n.t('The session was closed.'), notPutBack());
    if (!isTrusted())
      throw badInput(
        l10n.t('This folder is not trusted, so its files are not restored. Trust it first.'),
        notPutBack(),
      );
    const change = this.change(id);
    if (!change) throw badInput(l10n.t('That change is not part of this session.'), notPutBack());
    return change;
  }
}
