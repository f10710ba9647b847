import * as l10n from '@vscode/l10n';
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

/** Where a file with instructions is, for people. */
export function originWords(origin: MemoryOrigin): string {
  switch (origin) {
    case 'user':
      return l10n.t('Yours, for every folder');
    case 'above':
      return l10n.t('In a folder above this one');
    case 'project':
      return l10n.t('In this folder');
    case 'subfolder':
      return l10n.t('In a subfolder that Gantry worked in');
    case 'extension':
      return l10n.t('In an extension');
  }
}

/** What is wrong with an import or a file, for people. `path` is the path as written. */
export function memoryProblemText(reason: MemoryProblem['reason'], path: string): string {
  switch (reason) {
    case 'missing':
      return l10n.t('@{0} was not imported: there is no such file.', path);
    case 'outside':
      return l10n.t('@{0} was not imported: it is outside the folders that files can be imported from.', path);
    case 'cycle':
      return l10n.t('@{0} was not imported: it imports itself.', path);
    case 'depth':
      return l10n.t('@{0} was not imported: too many files import each other.', path);
    case 'count':
      return l10n.t('@{0} was not imported: there are too many imports.', path);
    case 'unreadable':
      return l10n.t('@{0} was not imported: it is not a text file.', path);
    case 'cut':
      return l10n.t('The file is too long. The rest is ignored.');
  }
}
