import german from '../../package.nls.de.json' with { type: 'json' };
import english from '../../package.nls.json' with { type: 'json' };

/** The displayed texts of the manifest, by the keys that replace them there. */
export const MANIFEST_TEXTS: Readonly<Record<'en' | 'de', Readonly<Record<string, string>>>> = {
  en: english,
  de: german,
};

/** A text of the manifest as VS Code shows it. */
export function shown(text: string, language: 'en' | 'de' = 'en'): string {
  const [, key] = /^%(.+)%$/.exec(text) ?? [];
  return key === undefined ? text : (MANIFEST_TEXTS[language][key] ?? text);
}
