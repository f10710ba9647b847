import * as vscode from 'vscode';
import type { Logger } from '../../ports/logger.ts';
import type { Attachment, ShownAttachment } from '../../protocol/agent/attachment.ts';
import type { Delivery } from '../../protocol/agent/content-part.ts';
import type { Problem } from '../../protocol/agent/problem.ts';
import type { ToPanel } from '../../protocol/panel/panel-messages.ts';
import { Disposable } from '../base/disposable.ts';
import type { WorkspaceState } from '../base/workspace.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import type { Words } from '../session/panel-payloads.ts';
import type { PanelSession } from '../session/panel-session.ts';
import { Attachments, type ReadAttached } from './attachments.ts';
import { type AttachmentContent, KeptAttachments } from './kept-attachments.ts';
import { OpenEditorContext } from './open-editor.ts';

/** Reads an excerpt or a picture by which the user recognizes an attachment. */
export type ReadPreview = (
  kind: Attachment['kind'],
  content: AttachmentContent,
) => Promise<Pick<ShownAttachment, 'excerpt' | 'picture'>>;

/** The attachments and the open editor: shown as chips, sent with the next message, and restored if it is refused. */
export class PanelContext extends Disposable {
  readonly attachments: Attachments;
  private readonly editor: OpenEditorContext;
  private post: ((message: ToPanel) => void) | undefined;
  private readPreview: ReadPreview = async () => ({});
  private lastPosted = 0;

  constructor(
    private readonly session: PanelSession,
    runtime: RuntimeLoader,
    state: WorkspaceState,
    log: Logger,
  ) {
    super();
    this.attachments = this.register(new Attachments(readAttached(runtime), new KeptAttachments(state, log)));
    this.editor = this.register(new OpenEditorContext(state, runtime, log));
    this.register(this.attachments.onDidChange(() => this.postAttachments()));
    this.register(this.editor.onDidChange(() => this.postEditor()));
    this.register(session.onDidReturnAttachments((ids) => this.attachments.giveBack(ids)));
  }

  /** A page is connected and listens for messages. */
  show(post: (message: ToPanel) => void): void {
    this.post = post;
    this.postAttachments();
    this.postEditor();
    this.editor.follow(true);
  }

  hide(): void {
    this.post = undefined;
    this.editor.follow(false);
  }

  previewWith(read: ReadPreview): void {
    this.readPreview = read;
  }

  includeEditor(included: boolean): Promise<void> {
    return this.editor.include(included);
  }

  /** Returns undefined if the message was accepted, else why not. With `again`, sends only these attachments again. */
  async send(words: Words, delivery: Delivery | undefined, again?: readonly string[]): Promise<Problem | undefined> {
    let taken: readonly string[] = [];
    const refused = await this.session.send(words, delivery, async () => {
      const ids = again ?? this.attachments.items.map(({ id }) => id);
      const parts = await (again ? this.attachments.again(again) : this.attachments.take());
      taken = ids;
      return [...parts, ...(await this.editor.parts(this.session.knownEditor))];
    });
    if (refused) this.attachments.giveBack(taken);
    return refused;
  }

  /** Posts the attachments at once, and again when their previews are ready. */
  private postAttachments(): void {
    const { items } = this.attachments;
    const posted = ++this.lastPosted;
    this.post?.({ type: 'attachments', attachments: [...items] });
    if (items.length > 0 && this.post) void this.postPreviews(items, posted);
  }

  private async postPreviews(items: readonly Attachment[], posted: number): Promise<void> {
    const attachments = await Promise.all(
      items.map(async (item) => {
        const content = this.attachments.contentOf(item.id);
        const preview = content && (await this.readPreview(item.kind, content).catch(() => undefined));
        return { ...item, ...preview };
      }),
    );
    if (posted === this.lastPosted) this.post?.({ type: 'attachments', attachments });
  }

  private postEditor(): void {
    const { chip } = this.editor;
    this.post?.({ type: 'editor', ...(chip && { chip }) });
  }
}

/** Attachments are read when the message is sent, so that the model gets what the user sees at that time. */
export function readAttached(runtime: RuntimeLoader): ReadAttached {
  return async (kind, uri, label) => {
    const { messageContext } = await runtime.load();
    if (kind === 'image' || kind === 'document') return messageContext.media(uri.fsPath, label);
    if (kind === 'folder') return messageContext.folder(uri.fsPath, label);
    if (uri.scheme === 'file') return messageContext.file(uri.fsPath, label);
    return (await vscode.workspace.openTextDocument(uri)).getText();
  };
}
