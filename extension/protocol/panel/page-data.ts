/** What a page is to speak. */
export interface PageLanguage {
  /** As VS Code calls it, such as "de" or "pt-br". */
  readonly tag: string;
  /** By the English text. Absent in English, and where there is no translation. */
  readonly texts?: Readonly<Record<string, string>> | undefined;
}

/** Where a page keeps its texts, for its own scripts to read. */
export const PAGE_TEXTS = 'gantry-texts';

/** Where a page finds what was typed and opened in the one before, when that was in another place. */
export const CARRIED_VIEW = 'gantry-carried-view';
