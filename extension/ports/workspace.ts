export interface WorkspacePort {
  /** The absolute paths of the folders that the user opened; empty if there are none. */
  roots(): readonly string[];
  isTrusted(): boolean;
}

type MaybeLater<Value> = Value | undefined | Promise<Value | undefined>;

/** The open files of the editor, which may be another process. */
export interface FilePort {
  /** The unsaved text of an open editor, if any, so that the agent reads what the user sees. */
  unsavedText(path: string): MaybeLater<string>;
  /** The file as the editor has it open, with or without unsaved changes. */
  openDocument(path: string): MaybeLater<OpenDocument>;
  /**
   * Creates a file in the editor, so that it notices the new file. False if the file has to be created on disk. Absent
   * if the editor notices new files by itself.
   */
  create?(path: string, text: string): Promise<boolean>;
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
