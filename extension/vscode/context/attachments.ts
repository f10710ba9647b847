import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Attachment } from '../../protocol/agent/attachment.ts';
import type { ContentPart } from '../../protocol/agent/content-part.ts';
import { attachmentPart, mediaPart } from '../../protocol/agent/reference-parts.ts';
import { distinctLabels } from '../../protocol/words/labels.ts';
import { Disposable } from '../base/disposable.ts';
import { placeOf } from '../editor/place.ts';
import type { AttachmentContent, KeptAttachments } from './kept-attachments.ts';

export type NewAttachment = Omit<Attachment, 'id'> & { readonly content: AttachmentContent };

type Kept = NewAttachment & { readonly id: string };

/** Reads an attachment by its URI: its text, or the data of an image or document. */
export type ReadAttached = (
  kind: Attachment['kind'],
  uri: vscode.Uri,
  label: string,
) => Promise<string | { readonly data: string; readonly mimeType: string }>;

/** The attachments of the next message. They belong to the window and outlive the page that shows them. */
export class Attachments extends Disposable {
  private readonly changed = this.register(new vscode.EventEmitter<void>());
  private kept: readonly Kept[] = [];
  /** Attachments of sent messages. They are attached again if their message is withdrawn. */
  private readonly gone = new Map<string, Kept>();

  readonly onDidChange: vscode.Event<void> = this.changed.event;

  constructor(
    private readonly read: ReadAttached,
    private readonly memory: KeptAttachments,
  ) {
    super();
    this.kept = memory.items.map(({ attachment, content }) => ({ ...attachment, content }));
  }

  get items(): readonly Attachment[] {
    return distinctLabels(this.kept.map(({ content: _, ...item }) => item));
  }

  contentOf(id: string): AttachmentContent | undefined {
    return this.kept.find((item) => item.id === id)?.content;
  }

  /** Adds an attachment. It replaces an equal one. */
  add(attachment: NewAttachment): void {
    const others = this.kept.filter((other) => !isSame(other, attachment));
    this.replace([...others, { ...attachment, id: randomUUID() }]);
  }

  remove(id: string): void {
    this.replace(this.kept.filter((item) => item.id !== id));
  }

  clear(): void {
    this.replace([]);
  }

  /** Takes the attachments for a message. If one of them cannot be read, throws a problem and keeps all of them. */
  async take(): Promise<readonly ContentPart[]> {
    const { items } = this;
    const taken = this.kept;
    const parts = await Promise.all(taken.map((item, index) => this.partOf(items[index] ?? item, item.content)));
    for (const item of taken) this.remember(item);
    // Attachments that were added meanwhile are for the next message.
    if (taken.length > 0) this.replace(this.kept.filter((item) => !taken.includes(item)));
    return parts;
  }

  /** Makes a part for another message than the next one. Its attachment also comes back if that is withdrawn. */
  partFor(attachment: NewAttachment): Promise<ContentPart> {
    const item = { ...attachment, id: randomUUID() };
    this.remember(item);
    return this.partOf(item, item.content);
  }

  /** Whether an attachment went with an earlier message and can be attached again. */
  isKnown(id: string): boolean {
    return this.gone.has(id);
  }

  /** Reads the attachments of an earlier message again, for the message that replaces it. Unknown ids are ignored. */
  again(ids: readonly string[]): Promise<readonly ContentPart[]> {
    const known = ids.flatMap((id) => this.gone.get(id) ?? []);
    return Promise.all(known.map((item) => this.partOf(item, item.content)));
  }

  /** Restores the attachments of a message that was refused or withdrawn. Unknown ids are ignored. */
  giveBack(ids: readonly string[]): void {
    const back = ids.flatMap((id) => this.gone.get(id) ?? []);
    for (const { id } of back) this.gone.delete(id);
    const newer = this.kept.filter((item) => !back.some((other) => isSame(other, item)));
    if (back.length > 0) this.replace([...back, ...newer]);
  }

  private async partOf(item: Attachment, content: AttachmentContent): Promise<ContentPart> {
    const { id, kind, label, path, startLine, endLine } = item;
    const attachment: Attachment = {
      id,
      kind,
      label,
      ...(path !== undefined && { path }),
      ...(startLine !== undefined && { startLine }),
      ...(endLine !== undefined && { endLine }),
    };
    if ('text' in content) return attachmentPart(attachment, content.text);
    const read = await this.read(kind, content.uri, label);
    if (typeof read !== 'string') return mediaPart(attachment, read.data, read.mimeType);
    return attachmentPart(attachment, read, content.uri.toString());
  }

  private remember(item: Kept): void {
    this.gone.set(item.id, item);
    const [oldest] = this.gone.keys();
    if (this.gone.size > MOST_REMEMBERED && oldest !== undefined) this.gone.delete(oldest);
  }

  private replace(kept: readonly Kept[]): void {
    this.kept = kept;
    this.memory.keep(kept.map(({ content, ...attachment }) => ({ attachment, content })));
    this.changed.fire();
  }
}

/** Selections may be large, and only recent messages are withdrawn. */
const MOST_REMEMBERED = 50;

function isSame(left: NewAttachment, right: NewAttachment): boolean {
  return left.kind === right.kind && left.label === right.label && contentKey(left) === contentKey(right);
}

function contentKey({ content, path }: NewAttachment): string {
  return 'uri' in content ? content.uri.toString() : JSON.stringify([path, content.text]);
}

/** Makes an attachment for a file or folder, which is read when the message is sent. */
/** Describes the files that a dialog asks about. */
export function attachDetail(names: readonly string[]): string {
  return `${names.join('\n')}\n\n${l10n.t('Their contents are sent to the model with your message.')}`;
}

export async function uriAttachment(uri: vscode.Uri): Promise<NewAttachment> {
  return { kind: (await isFolder(uri)) ? 'folder' : kindByName(uri.path), ...placeOf(uri), content: { uri } };
}

/** Images and documents are sent as they are, not as text. Their first bytes are checked before. */
export function kindByName(path: string): Extract<Attachment['kind'], 'file' | 'image' | 'document'> {
  if (/\.(?:png|jpe?g|webp|heic|heif)$/i.test(path)) return 'image';
  return /\.pdf$/i.test(path) ? 'document' : 'file';
}

async function isFolder(uri: vscode.Uri): Promise<boolean> {
  if (uri.scheme === 'untitled') return false;
  const { type } = await vscode.workspace.fs.stat(uri);
  return (type & vscode.FileType.Directory) !== 0;
}
