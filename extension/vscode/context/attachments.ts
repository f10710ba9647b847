import { randomUUID } from 'node:crypto';
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

/** Reads what is attached by reference: its text, or the picture or document that it is. */
export type ReadAttached = (
  kind: Attachment['kind'],
  uri: vscode.Uri,
  label: string,
) => Promise<string | { readonly data: string; readonly mimeType: string }>;

/** What goes with the next message. It belongs to the window and outlives the page that shows it. */
export class Attachments extends Disposable {
  private readonly changed = this.register(new vscode.EventEmitter<void>());
  private kept: readonly Kept[] = [];
  /** Went with a message, and comes back if that is taken back. */
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

  /** The same thing is not attached twice: the newer one counts. */
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

  /** What goes with a message now. When something of it cannot be read it throws a problem, and all stays as it was. */
  async take(): Promise<readonly ContentPart[]> {
    const { items } = this;
    const taken = this.kept;
    const parts = await Promise.all(taken.map((item, index) => this.partOf(items[index] ?? item, item.content)));
    for (const item of taken) this.remember(item);
    // What was added meanwhile is for the next message.
    if (taken.length > 0) this.replace(this.kept.filter((item) => !taken.includes(item)));
    return parts;
  }

  /** Goes with another message than the next one. It comes back like the others if that is taken back. */
  partFor(attachment: NewAttachment): Promise<ContentPart> {
    const item = { ...attachment, id: randomUUID() };
    this.remember(item);
    return this.partOf(item, item.content);
  }

  /** It went with a message, and could go with another. */
  isKnown(id: string): boolean {
    return this.gone.has(id);
  }

  /** What went with a message, once more with the one that takes its place. Those that are not known any more stay away. */
  again(ids: readonly string[]): Promise<readonly ContentPart[]> {
    const known = ids.flatMap((id) => this.gone.get(id) ?? []);
    return Promise.all(known.map((item) => this.partOf(item, item.content)));
  }

  /** The message they went with was refused or taken back. Those that are not known here any more stay away. */
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

/** Selections may be large, and only the last messages are taken back. */
const MOST_REMEMBERED = 50;

function isSame(left: NewAttachment, right: NewAttachment): boolean {
  return left.kind === right.kind && left.label === right.label && contentKey(left) === contentKey(right);
}

function contentKey({ content, path }: NewAttachment): string {
  return 'uri' in content ? content.uri.toString() : JSON.stringify([path, content.text]);
}

/** A file or folder as an attachment. It is read when the message is sent. */
export async function uriAttachment(uri: vscode.Uri): Promise<NewAttachment> {
  return { kind: (await isFolder(uri)) ? 'folder' : kindByName(uri.path), ...placeOf(uri), content: { uri } };
}

/** What is sent as it is, and not as text; its first bytes are looked at before. */
export function kindByName(path: string): Extract<Attachment['kind'], 'file' | 'image' | 'document'> {
  if (/\.(?:png|jpe?g|webp|heic|heif)$/i.test(path)) return 'image';
  return /\.pdf$/i.test(path) ? 'document' : 'file';
}

async function isFolder(uri: vscode.Uri): Promise<boolean> {
  if (uri.scheme === 'untitled') return false;
  const { type } = await vscode.workspace.fs.stat(uri);
  return (type & vscode.FileType.Directory) !== 0;
}
