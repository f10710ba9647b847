import type { ImportRefusal } from './expand-imports.ts';

/** `above`: between the folder that is open and the root of its repository. `subfolder`: because a tool was there. */
export type MemoryOrigin = 'extension' | 'user' | 'above' | 'project' | 'subfolder';

/** A file with instructions, as the model gets it. */
export interface LoadedMemory {
  /** Absolute. */
  readonly path: string;
  /** For people and for the model. */
  readonly label: string;
  readonly origin: MemoryOrigin;
  /** With its imports, and cut where it is too long. */
  readonly text: string;
  /** About what it costs in every request. */
  readonly tokens: number;
  /** Absolute. */
  readonly imported: readonly string[];
  readonly isCut: boolean;
  /** The folder is not trusted: its words are data, which the model gets as a quotation. */
  readonly isQuoted: boolean;
  readonly problems: readonly MemoryProblem[];
}

export interface MemoryProblem {
  /** Absolute. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly reason: ImportRefusal | 'cut';
  /** What is written there. */
  readonly path?: string;
}
