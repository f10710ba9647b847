export interface WorkspacePort {
  /** Absolute paths of the folders the user opened; empty when there is none. */
  roots(): readonly string[];
  isTrusted(): boolean;
}

export interface FilePort {
  /** Unsaved text of an open editor, if the file has any: what the user sees is what the agent reads. */
  unsavedText(path: string): string | undefined;
  /** The file as the editor has it open, with or without unsaved changes. */
  openDocument(path: string): OpenDocument | undefined;
  /** Reports files that are saved in an editor; the returned function ends that. Absent where there is no editor. */
  onDidSave?(listener: (path: string) => void): () => void;
}

/** A text file that is open in the editor, which knows its encoding and has the user's unsaved changes. */
export interface OpenDocument {
  readonly text: string;
  readonly isDirty: boolean;
  /** As the file would be on disk with this text: the document's encoding and byte order mark. */
  encode(text: string): Promise<Uint8Array>;
  /** Puts the text in place of `expected` and saves. `stale`: the document has another text by now, nothing was done. */
  replace(expected: string, text: string): Promise<'saved' | 'stale' | 'not_saved'>;
}
