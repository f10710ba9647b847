export interface BrowserBinary {
  readonly executable: string;
  /** Folders with shared libraries that the system may lack. */
  readonly libraries: readonly string[];
}
