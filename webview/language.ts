import { PAGE_TEXTS } from '../extension/protocol/panel/page-texts.ts';
import { useTexts } from '../extension/protocol/panel/use-texts.ts';

/** Before the first text is asked for: the host has put them into the page. */
export function speakLanguageOfPage(): void {
  useTexts(document.getElementById(PAGE_TEXTS)?.textContent);
}

/** For dates and numbers. In English the day comes first, which is the same everywhere. */
export function formatLanguage(): string {
  const tag = globalThis.document?.documentElement.lang || 'en';
  return tag === 'en' ? 'en-GB' : tag;
}
