/** The language of a page. */
export interface PageLanguage {
  /** The language tag that VS Code uses, such as "de" or "pt-br". */
  readonly tag: string;
  /** Translations by their English text. Absent in English, and if there is no translation. */
  readonly texts?: Readonly<Record<string, string>> | undefined;
}

/** The id of the element in which a page keeps its texts for its own scripts. */
export const PAGE_TEXTS = 'gantry-texts';

/** The id of the element with the typed text and open details of the previous page, if that was in another place. */
export const CARRIED_VIEW = 'gantry-carried-view';
