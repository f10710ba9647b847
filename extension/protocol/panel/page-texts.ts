import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';

/** What a page is to speak. */
export interface PageLanguage {
  /** As VS Code calls it, such as "de" or "pt-br". */
  readonly tag: string;
  /** By the English text. Absent in English, and where there is no translation. */
  readonly texts?: Readonly<Record<string, string>> | undefined;
}

/** Where a page keeps its texts, for its own scripts to read. */
export const PAGE_TEXTS = 'gantry-texts';

const textsSchema = z.record(z.string(), z.string());

/** Every bundle has texts of its own: each calls this before it says anything. Without any it speaks English. */
export function useTexts(json: string | null | undefined): void {
  if (!json) return;
  // Without `new Function`, which the policy of a page forbids.
  l10n.config({ contents: textsSchema.parse(JSON.parse(json), { jitless: true }) });
}
