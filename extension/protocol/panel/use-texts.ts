import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';

const textsSchema = z.record(z.string(), z.string());

/**
 * Each bundle has its own texts, so each must call this before it shows any. Without texts, everything is in English.
 */
export function useTexts(json: string | null | undefined): void {
  if (!json) return;
  // `jitless` avoids `new Function`, which the content security policy of a page forbids.
  l10n.config({ contents: textsSchema.parse(JSON.parse(json), { jitless: true }) });
}
