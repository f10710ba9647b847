import {
  type AttachedMedia,
  attachedFile,
  attachedFolder,
  attachedMedia,
  type MediaKind,
  mediaKind,
} from '../../context/attached.ts';
import { type EditorContext, editorContext, editorReference } from '../../context/editor-context.ts';
import { editorFacts } from '../../context/editor-facts.ts';
import { type PipedInput, pipedInput, pipedPart } from '../../context/piped-input.ts';
import type { Host } from '../../ports/host.ts';
import type { ContentPart, ReferencePart } from '../../protocol/agent/content-part.ts';
import type { SentEditor } from '../../protocol/agent/reference.ts';
import { type FileListing, listWorkspaceFiles } from '../../tools/search/workspace-files.ts';
import { MessageMentions } from './message-mentions.ts';

/** What goes with a message besides words. */
export class MessageContext {
  /** What `@` in its words brings along. */
  readonly mentions: MessageMentions;

  constructor(
    private readonly host: Pick<Host, 'workspace' | 'files' | 'editor' | 'assets'>,
    ...mentioning: ConstructorParameters<typeof MessageMentions>
  ) {
    this.mentions = new MessageMentions(...mentioning);
  }

  file(path: string, label: string): Promise<string> {
    return attachedFile(path, label, this.host.files);
  }

  folder(path: string, label: string): Promise<string> {
    return attachedFolder(path, label);
  }

  media(path: string, label: string): Promise<AttachedMedia> {
    return attachedMedia(path, label);
  }

  /** What bytes that were pasted are; undefined for neither a picture nor a document. Throws when they are too many. */
  mediaKind(bytes: Uint8Array, label: string): MediaKind | undefined {
    return mediaKind(bytes, label);
  }

  /** What was piped in. Throws when no model can read it. */
  piped(bytes: Uint8Array): PipedInput {
    return pipedInput(bytes);
  }

  /** The same beside a prompt, as data. Throws when it is too large for that. */
  pipedPart(input: PipedInput): ContentPart {
    return pipedPart(input);
  }

  /** What the user can choose from. False when it could not be listed. */
  listFiles(listing: FileListing): Promise<boolean> {
    return listWorkspaceFiles(this.host, listing);
  }

  /** What may be said of the editor now. `recent`: absolute paths, the most recently used first. */
  async editor(recent: readonly string[]): Promise<EditorContext | undefined> {
    const { editor, workspace } = this.host;
    return editor && editorContext(await editorFacts(editor, workspace, recent));
  }

  /** The part for a message; undefined when the model knows all of it. */
  editorPart(context: EditorContext | undefined, known: SentEditor['sections'] | undefined): ReferencePart | undefined {
    return editorReference(context, known);
  }
}
