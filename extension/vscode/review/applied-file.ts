import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FileCodec, PendingChanges, PendingTexts } from '../../runtime/changes/pending-changes.ts';
import type { UnreviewedFile } from '../../sessions/files/review-ledger.ts';
import { findDocument } from '../editor/open-documents.ts';
import { type AppliedView, viewOf } from './applied-view.ts';
import { BASELINE_SCHEME } from './baseline-texts.ts';
import { itemId } from './item-version.ts';
import type { ReviewItem } from './review-source.ts';

/** A file that was changed without asking and is pending review. */
export class AppliedFile {
  readonly id: string;
  readonly uri: vscode.Uri;
  readonly beforeUri: vscode.Uri;
  /** A cache, so that the same text is compared only once. */
  private seen: { readonly now: string | null; readonly view: AppliedView } | undefined;

  constructor(
    readonly file: UnreviewedFile,
    private readonly texts: PendingTexts,
    /** The encoding of the texts; undefined for Unicode. */
    private readonly encoding: string | undefined,
    /** The document, if an editor has it open. */
    private readonly document: vscode.TextDocument | undefined,
    /** The text on disk, used if no editor has the file open. */
    private readonly onDisk: string | null,
  ) {
    this.id = itemId(`applied:${file.path}`, file.current ?? 'none');
    this.uri = vscode.Uri.file(file.path);
    this.beforeUri = this.uri.with({ scheme: BASELINE_SCHEME });
  }

  /** Returns undefined if the earlier contents are no longer stored. */
  static async load(
    file: UnreviewedFile,
    changes: PendingChanges,
    known: AppliedFile | undefined,
  ): Promise<AppliedFile | undefined> {
    const document = findDocument(file.path);
    const encoding = document?.encoding;
    const same = known?.isOf(file) && known.encoding === encoding ? known : undefined;
    const texts = same?.texts ?? (await changes.texts(file, codecFor(encoding)));
    // A file that cannot be read is shown as the agent left it. A verdict reads the file again anyway.
    const onDisk = document ? document.getText() : await changes.textNow(file.path).catch(() => texts?.current ?? null);
    return texts && new AppliedFile(file, texts, encoding, document, onDisk);
  }

  get codec(): FileCodec | undefined {
    return codecFor(this.encoding);
  }

  get isNew(): boolean {
    return this.file.baseline === null;
  }

  /** The text in the editor, or on disk when it was last read. */
  get now(): string | null {
    return this.document && !this.document.isClosed ? this.document.getText() : this.onDisk;
  }

  view(now: string | null = this.now): AppliedView {
    const { holdsOthersEdits } = this.file;
    if (this.seen?.now !== now) this.seen = { now, view: viewOf({ ...this.texts, now, holdsOthersEdits }) };
    return this.seen.view;
  }

  item(): ReviewItem {
    const { added, removed, conflict } = this.view();
    return {
      id: this.id,
      path: this.file.path,
      label: vscode.workspace.asRelativePath(this.uri),
      style: 'applied',
      isNew: this.isNew,
      added,
      removed,
      ...(conflict !== undefined && { conflict }),
    };
  }

  /** The title of its diff. */
  get title(): string {
    return l10n.t('{0} (to review)', basename(this.file.path));
  }

  private isOf({ baseline, current }: UnreviewedFile): boolean {
    return this.file.baseline === baseline && this.file.current === current;
  }
}

function codecFor(encoding: string | undefined): FileCodec | undefined {
  if (encoding === undefined) return undefined;
  return {
    decode: async (bytes) => vscode.workspace.decode(bytes, { encoding }),
    encode: async (text) => vscode.workspace.encode(text, { encoding }),
  };
}
