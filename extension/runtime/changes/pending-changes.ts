import { randomUUID } from 'node:crypto';
import { sep } from 'node:path';
import * as l10n from '@vscode/l10n';
import { Emitter } from '../../base/emitter.ts';
import { failureText } from '../../files/file-failure.ts';
import { canonicalFolder } from '../../files/real-path.ts';
import { type DecodedText, decodeExactly, decodeText, encodeText } from '../../files/text-codec.ts';
import { ProblemError } from '../../protocol/agent/problem.ts';
import { hashOf } from '../../sessions/files/blob-store.ts';
import type { CheckedChange } from '../../sessions/files/file-changes.ts';
import type { FileVersion } from '../../sessions/files/restore-plan.ts';
import type { UnreviewedFile } from '../../sessions/files/review-ledger.ts';
import type { SessionJournal } from '../../sessions/session-journal.ts';
import { cutPatch, unifiedDiff } from '../../text/unified-diff.ts';
import { badInput } from '../problems/message-limits.ts';
import { heldElsewhere } from '../problems/session-problems.ts';
import { ChangeComments } from './change-comments.ts';
import type { ChangedFiles } from './session-rewind.ts';

/** The texts of a file; null if the file did not exist. */
export interface PendingTexts {
  readonly baseline: string | null;
  readonly current: string | null;
}

/** Reads and writes a file in the encoding of the editor that has it open. Without a codec, files are Unicode. */
export interface FileCodec {
  decode(bytes: Uint8Array): Promise<string>;
  encode(text: string): Promise<Uint8Array>;
}

/** The text that a change was computed from, and its replacement; null for no file. */
export interface TakenBack {
  readonly expected: string | null;
  readonly text: string | null;
}

/** The accepted part of a change as a new baseline, and the file's text when the user accepted it. */
export interface AcceptedPart {
  readonly baseline: string;
  readonly current: string;
}

interface Surroundings {
  /** The other process that has this session open for writing, so that nothing may change here. */
  readonly heldBy: () => string | undefined;
  /** Settles when the current rewind of files ends; undefined if there is none. */
  readonly rewinding: () => Promise<void> | undefined;
  readonly isTrusted: () => boolean;
  readonly plansFolder: string | undefined;
}

const notReviewed = (): string => l10n.t('The change was not reviewed');

/** The changes that a session made without asking, and their reviews. */
export class PendingChanges {
  /** The user's comments on the changes. */
  readonly comments: ChangeComments;
  private readonly changes = new Emitter();
  /** Fires when the list or a file on it changes. */
  readonly onDidChange = this.changes.on;

  constructor(
    private readonly journal: SessionJournal,
    private readonly files: ChangedFiles,
    private readonly surroundings: Surroundings,
  ) {
    this.comments = new ChangeComments(journal, surroundings.heldBy);
    journal.onRecord(({ type }) => {
      if (type === 'file_change' || type === 'reviewed') this.fire();
      // The record precedes the write, so listeners have to read the file again when the rewind is done.
      if (type === 'file_change') void this.surroundings.rewinding()?.then(() => this.fire());
      if (type === 'tool_finished' && this.list.length > 0) this.fire();
    });
  }

  /** The unreviewed files, without the session's own plans, which are shown when their approval is requested. */
  get list(): readonly UnreviewedFile[] {
    const { unreviewed } = this.journal.history.review;
    const { plansFolder } = this.surroundings;
    if (plansFolder === undefined || unreviewed.length === 0) return unreviewed;
    const own = canonicalFolder(plansFolder) + sep;
    return unreviewed.filter(({ path }) => !path.startsWith(own));
  }

  /** Undefined if the file's earlier content is no longer stored. */
  async texts({ baseline, current }: UnreviewedFile, codec?: FileCodec): Promise<PendingTexts | undefined> {
    const [before, after] = await Promise.all([this.textOf(baseline, codec), this.textOf(current, codec)]);
    return before === undefined || after === undefined ? undefined : { baseline: before, current: after };
  }

  /** The file's text on disk, for a file that is not open in an editor. Null if the file does not exist. */
  async textNow(path: string): Promise<string | null> {
    const content = await this.files.read(path);
    return content === undefined ? null : decodeText(content).text;
  }

  /** Accepts the file as it was listed; the user has not seen later changes. With `part`, accepts only a part. */
  async accept(file: UnreviewedFile, part?: AcceptedPart, codec?: FileCodec): Promise<void> {
    await this.surroundings.rewinding();
    this.check(file);
    const { path, current: seen } = file;
    const keep = async (text: string): Promise<FileVersion> => this.files.keep(await this.encode(file, text, codec));
    const [baseline, current] = part ? [await keep(part.baseline), await keep(part.current)] : [seen, seen];
    this.check(file);
    this.journal.append({ type: 'reviewed', id: randomUUID(), path, baseline, current });
  }

  /** Undoes the parts that the user rejects. With `baseline`, its difference to the file remains pending. */
  async reject(file: UnreviewedFile, change: TakenBack, baseline?: string, codec?: FileCodec): Promise<void> {
    await this.surroundings.rewinding();
    this.check(file);
    this.checkTrust();
    const { path } = file;
    const { text } = change;
    const remaining =
      baseline === undefined ? undefined : await this.files.keep(await this.encode(file, baseline, codec));
    const content = text === null ? undefined : await this.encode(file, text, codec);
    const id = randomUUID();
    try {
      const checked = await this.checked(file, change, content, codec);
      await this.files.write(path, content, { reviewId: id }, checked);
    } catch (error) {
      if (error instanceof ProblemError) throw error;
      throw badInput(l10n.t('{0} was not changed. {1}', path, failureText(error)), notReviewed());
    }
    const changes = this.journal.history.fileChanges.filter((each) => each.path === path);
    const left = changes.findLast(({ reviewId }) => reviewId === id)?.after ?? hashOf(content);
    // The agent may have changed the file again in the meantime.
    const current = changes.at(-1)?.after ?? left;
    this.journal.append({ type: 'reviewed', id, path, baseline: remaining ?? left, current, undone: undoneBy(change) });
  }

  private async textOf(version: FileVersion, codec: FileCodec | undefined): Promise<string | null | undefined> {
    if (version === null) return null;
    const content = await this.files.kept(version);
    if (content === undefined) return undefined;
    return codec ? codec.decode(content) : decodeText(content).text;
  }

  /** Restores the earlier bytes exactly, regardless of the line endings that an editor shows. */
  private async encode(file: UnreviewedFile, text: string, codec?: FileCodec): Promise<Uint8Array> {
    const { path, baseline, current } = file;
    const [before, after] = await Promise.all([this.files.kept(baseline), this.files.kept(current)]);
    if (before && (await this.textOf(baseline, codec)) === text) return before;
    if (codec) return codec.encode(text);
    const [first] = [after, before].filter((bytes) => bytes !== undefined).map((bytes) => readExactly(path, bytes));
    return encodeText({ ...(first ?? decodeText(Buffer.alloc(0))), text });
  }

  /**
   * The check before a write: by bytes if it restores the baseline of an unchanged file; otherwise by text, which must
   * decode exactly.
   */
  private async checked(
    { path, baseline, current }: UnreviewedFile,
    { expected, text }: TakenBack,
    content: Uint8Array | undefined,
    codec: FileCodec | undefined,
  ): Promise<CheckedChange> {
    const change = { expected, text: text ?? '' };
    const there = await this.files.read(path);
    if (hashOf(there) === current && hashOf(content) === baseline) return { ...change, version: current };
    if (there && !codec) readExactly(path, there);
    return change;
  }

  private fire(): void {
    this.changes.fire();
  }

  /** Nothing is written in an untrusted folder, not even earlier content. */
  private checkTrust(): void {
    if (this.surroundings.isTrusted()) return;
    throw badInput(l10n.t('This folder is not trusted, so its files are not restored. Trust it first.'), notReviewed());
  }

  private check({ path, baseline, current }: UnreviewedFile): void {
    const holder = this.surroundings.heldBy();
    if (holder !== undefined) throw new ProblemError(heldElsewhere(holder));
    if (this.journal.isClosed) throw badInput(l10n.t('The session was closed.'), notReviewed());
    const now = this.list.find((file) => file.path === path);
    if (now?.baseline === baseline && now.current === current) return;
    throw badInput(l10n.t('{0} is no longer what you saw. Review it again.', path), notReviewed());
  }
}

function readExactly(path: string, bytes: Uint8Array): DecodedText {
  const decoded = decodeExactly(bytes);
  if (decoded) return decoded;
  const why = l10n.t(
    '{0} was not changed, because it is not Unicode text. Open it in the editor with its encoding, then decide.',
    path,
  );
  throw badInput(why, notReviewed());
}

function undoneBy({ expected, text }: TakenBack): string {
  if (text === null) return 'The file was removed.';
  return expected === null ? 'The file was put back.' : cutPatch(unifiedDiff(expected, text), LONGEST_UNDONE);
}

/** Enough for the model to see what was undone. It can read the file for more. */
const LONGEST_UNDONE = 2000;
