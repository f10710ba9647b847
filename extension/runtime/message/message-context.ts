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
import { type FilesToList, listWorkspaceFiles } from '../../tools/search/workspace-files.ts';
import { MessageMentions } from './message-mentions.ts';

/** The attachments of messages: files, media, piped input and the state of the editor. */
export class MessageContext {
  /** Resolves `@` mentions in the text. */
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

  /** The kind of pasted bytes; undefined if they are neither a picture nor a document. Throws if they are too large. */
  mediaKind(bytes: Uint8Array, label: string): MediaKind | undefined {
    return mediaKind(bytes, label);
  }

  /** Reads piped input. Throws if no model can read it. */
  piped(bytes: Uint8Array): PipedInput {
    return pipedInput(bytes);
  }

  /** Attaches piped input to a prompt as data. Throws if it is too large. */
  pipedPart(input: PipedInput): ContentPart {
    return pipedPart(input);
  }

  /** Lists the files that the user can choose from. Returns false if they could not be listed. */
  listFiles(listing: FilesToList): Promise<boolean> {
    return listWorkspaceFiles(this.host, listing);
  }

  /** The state of the editor that may be sent. `recent`: absolute paths, the most recently used first. */
  async editor(recent: readonly string[]): Promise<EditorContext | undefined> {
    const { editor, workspace } = this.host;
    return editor && editorContext(await editorFacts(editor, workspace, recent));
  }

  /** The part for a message; undefined if the model already knows all of it. */
  editorPart(context: EditorContext | undefined, known: SentEditor['sections'] | undefined): ReferencePart | undefined {
    return editorReference(context, known);
  }
}
