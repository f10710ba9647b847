/** Who wanted it: the share of the window that is taken, or the user. */
export type CompactionTrigger = 'auto' | 'manual';

/** What an attempt to shorten what the model is sent came to. */
export type CompactionStatus =
  | 'COMPRESSED'
  /** The summary would have been longer than what it replaces. */
  | 'INFLATED'
  /** The model wrote no snapshot. */
  | 'EMPTY'
  /** There was nothing to do. */
  | 'NOOP'
  /** Only long outputs were cut. */
  | 'CONTENT_TRUNCATED'
  /** A model could not be asked. */
  | 'FAILED'
  | 'STOPPED';

/** The conversation up to a message is sent as a snapshot. All of it is still in the log. */
export interface CompactedData {
  readonly trigger: CompactionTrigger;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly summary: string;
  /** The first message that is still sent as it was; none when all of it was summarized. */
  readonly keptFrom?: string;
}

/** Typed alone, it is no message: the conversation is to be shortened. */
export function isCompressCommand(text: string): boolean {
  return text.trim() === '/compress';
}
