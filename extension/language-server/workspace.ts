import { pathToFileURL } from 'node:url';
import type { OpenTexts } from '../files/read-beginning.ts';
import type { StartOptions } from './start-options.ts';

/** What a document can refer to: the folders, the user's files, and the other open documents. */
export class Workspace {
  constructor(
    readonly options: StartOptions,
    readonly open: OpenTexts,
  ) {}

  /** In Restricted Mode, no file is read: only open documents are looked at. */
  get isTrusted(): boolean {
    return this.options.trusted;
  }

  uriOf(path: string): string {
    return pathToFileURL(path).href;
  }

  /** Called when a file that isn't open, or the set of open documents, may have changed. */
  forget(): void {}
}
