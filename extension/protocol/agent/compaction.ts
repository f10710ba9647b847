/** `auto` if the context usage reached its threshold, `manual` if the user asked for it. */
export type CompactionTrigger = 'auto' | 'manual';

/** The outcome of an attempt to shorten the conversation in requests. */
export type CompactionStatus =
  | 'COMPRESSED'
  /** The summary would have been longer than what it replaces. */
  | 'INFLATED'
  /** The model did not write a snapshot. */
  | 'EMPTY'
  /** There was nothing to do. */
  | 'NOOP'
  /** Only long outputs were shortened. */
  | 'CONTENT_TRUNCATED'
  /** The request to the model failed. */
  | 'FAILED'
  | 'STOPPED';

/** A snapshot replaces the conversation up to a message in requests. The log still has all of it. */
export interface CompactedData {
  readonly trigger: CompactionTrigger;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly summary: string;
  /** The first message that is still sent unchanged; absent if everything was summarized. */
  readonly keptFrom?: string;
}

/** A message that consists only of this command compacts the conversation and is not sent. */
export function isCompressCommand(text: string): boolean {
  return text.trim() === '/compress';
}
