export interface WorkspacePort {
  /** The absolute paths of the folders that the user opened; empty if there are none. */
  roots(): readonly string[];
  isTrusted(): boolean;
}

export interface FilePort {
  /** The unsaved text of an open editor, if any, so that the agent reads what the user sees. */
  unsavedText(path: string): string | undefined;
  /** The file as the editor has it open, with or without unsaved changes. */
  openDocument(path: string): OpenDocument | undefined;
  /** Reports files saved in an editor. The returned function removes the listener. Absent if there is no editor. */
  onDidSave?(listener: (path: string) => void): () => void;
}

/** A text file that is open in the editor, with its encoding and the user's unsaved changes. */
export interface OpenDocument {
  readonly text: string;
  readonly isDirty: boolean;
  /** The bytes of the file with this text, in the document's encoding and with its byte order mark. */
  encode(text: string): Promise<Uint8Array>;
  /**
   * Replaces `expected` with the text and saves. `stale`: the document has another text by now, and nothing was
   * changed.
   */
  replace(expected: string, text: string): Promise<'saved' | 'stale' | 'not_saved'>;
}
