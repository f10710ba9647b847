import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';

const textsSchema = z.record(z.string(), z.string());

/** Every bundle has texts of its own: each calls this before it says anything. Without any it speaks English. */
export function useTexts(json: string | null | undefined): void {
  if (!json) return;
  // Without `new Function`, which the policy of a page forbids.
  l10n.config({ contents: textsSchema.parse(JSON.parse(json), { jitless: true }) });
}
