import type { TextRange } from '../../text/text-range.ts';
import type { ImportRefusal } from './expand-imports.ts';

/** `above`: between the open folder and the root of its repository. `subfolder`: a folder that a tool accessed. */
export type MemoryOrigin = 'extension' | 'user' | 'above' | 'project' | 'subfolder';

/** A file with instructions, as sent to the model. */
export interface LoadedMemory {
  /** An absolute path. */
  readonly path: string;
  /** For people and for the model. */
  readonly label: string;
  readonly origin: MemoryOrigin;
  /** The text with its imports, truncated if it is too long. */
  readonly text: string;
  /** The approximate number of tokens in every request. */
  readonly tokens: number;
  /** Absolute paths. */
  readonly imported: readonly string[];
  readonly isCut: boolean;
  /** Whether the folder is untrusted: its text is data, which the model gets as a quotation. */
  readonly isQuoted: boolean;
  readonly problems: readonly MemoryProblem[];
}

export interface MemoryProblem {
  /** An absolute path. */
  readonly file: string;
  /** One-based. */
  readonly line: number;
  readonly range: TextRange;
  readonly reason: ImportRefusal | 'cut';
  /** The path as written in the file. */
  readonly path?: string;
}
