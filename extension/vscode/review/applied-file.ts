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

/** A file that was changed without asking, and that the user has not looked at yet. */
export class AppliedFile {
  readonly id: string;
  readonly uri: vscode.Uri;
  readonly beforeUri: vscode.Uri;
  /** Looking again at the same text costs nothing. */
  private seen: { readonly now: string | null; readonly view: AppliedView } | undefined;

  constructor(
    readonly file: UnreviewedFile,
    private readonly texts: PendingTexts,
    /** How the texts were read; undefined for Unicode. */
    private readonly encoding: string | undefined,
    /** The editor's, as long as that has it open. */
    private readonly document: vscode.TextDocument | undefined,
    /** For when no editor has it open. */
    private readonly onDisk: string | null,
  ) {
    this.id = itemId(`applied:${file.path}`, file.current ?? 'none');
    this.uri = vscode.Uri.file(file.path);
    this.beforeUri = this.uri.with({ scheme: BASELINE_SCHEME });
  }

  /** Undefined when what it held is not stored any more. */
  static async load(
    file: UnreviewedFile,
    changes: PendingChanges,
    known: AppliedFile | undefined,
  ): Promise<AppliedFile | undefined> {
    const document = findDocument(file.path);
    const encoding = document?.encoding;
    const same = known?.isOf(file) && known.encoding === encoding ? known : undefined;
    const texts = same?.texts ?? (await changes.texts(file, codecFor(encoding)));
    // A file that cannot be read is shown as the agent left it: reading it again is what a verdict begins with.
    const onDisk = document ? document.getText() : await changes.textNow(file.path).catch(() => texts?.current ?? null);
    return texts && new AppliedFile(file, texts, encoding, document, onDisk);
  }

  get codec(): FileCodec | undefined {
    return codecFor(this.encoding);
  }

  get isNew(): boolean {
    return this.file.baseline === null;
  }

  /** As the editor has it, or as it was on the disk when it was last looked at. */
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

  /** What its diff is called. */
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
