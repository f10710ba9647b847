export interface BrowserBinary {
  readonly executable: string;
  /** Folders with shared libraries that the system may lack. */
  readonly libraries: readonly string[];
  /** Always the same one: only its pictures can be compared with those of another day. */
  readonly isPinned: boolean;
}
