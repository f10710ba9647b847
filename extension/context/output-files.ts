/** Where the whole text of an output is kept that the model is shown only a part of. */
export interface OutputFiles {
  /** The same call always has the same file. Rejects when it cannot be written. */
  save(callId: string, tool: string, text: string): Promise<string>;
}
