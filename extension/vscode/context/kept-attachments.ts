import * as vscode from 'vscode';
import type { Logger } from '../../ports/logger.ts';
import type { Attachment } from '../../protocol/agent/attachment.ts';
import { readStoredAttachments, type StoredAttachment } from '../../protocol/agent/stored-attachment.ts';
import type { WorkspaceState } from '../base/workspace.ts';

const KEY = 'gantry.attachments';
/** The limit for the stored text, because VS Code keeps all of it in memory. For a file, only the address is stored. */
const MAX_TEXT = 500_000;

export interface KeptAttachment {
  readonly attachment: Attachment;
  readonly content: AttachmentContent;
}

/** Stores the attachments of the next message, so that they survive a reload. */
export class KeptAttachments {
  constructor(
    private readonly state: WorkspaceState,
    private readonly log: Logger,
  ) {}

  get items(): readonly KeptAttachment[] {
    const value = this.state.get(KEY);
    if (value === undefined) return [];
    return readStoredAttachments(value).map(({ attachment, content }) => ({
      attachment,
      content: 'uri' in content ? { uri: vscode.Uri.parse(content.uri) } : content,
    }));
  }

  keep(items: readonly KeptAttachment[]): void {
    let length = 0;
    const fitting = items.filter(({ content }) => {
      length += 'text' in content ? content.text.length : 0;
      return length <= MAX_TEXT;
    });
    const stored = fitting.map(
      ({ attachment, content }): StoredAttachment => ({
        attachment,
        content: 'uri' in content ? { uri: content.uri.toString() } : content,
      }),
    );
    this.state.update(KEY, stored.length === 0 ? undefined : stored).then(undefined, (error: unknown) => {
      this.log.error('What is attached could not be kept for after a reload', error);
    });
  }
}

/** Text as it was when it was attached, or the address of something that is read when the message is sent. */
export type AttachmentContent = { readonly text: string } | { readonly uri: vscode.Uri };
