import * as l10n from '@vscode/l10n';
import { CARRIED_VIEW, PAGE_TEXTS, type PageLanguage } from '../../protocol/panel/page-data.ts';

/** The hash of an empty <style>, which the UI toolkit inserts as a test. */
export const EMPTY_STYLE = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/** Allows only Gantry's own script, style and font: no remote content, no inline style, no forms. */
export function contentSecurityPolicy(source: string, nonce: string): string {
  return [
    `default-src 'none'`,
    `img-src ${source} data:`,
    `font-src ${source}`,
    `style-src ${source} ${EMPTY_STYLE}`,
    `script-src 'nonce-${nonce}'`,
    `form-action 'none'`,
    `base-uri 'none'`,
  ].join('; ');
}

export interface PanelPlace {
  /** The source of the panel's files in the content security policy. */
  readonly cspSource: string;
  readonly nonce: string;
  readonly language: PageLanguage;
  /** The address of a file of the panel. */
  asset(name: string): string;
}

/** The page of the panel, in the side bar or an editor. `carried` is the state saved by a page in the other place. */
export function panelPage(place: PanelPlace, carried?: string): string {
  return page(
    place,
    `<gantry-panel></gantry-panel>
${carried === undefined ? '' : `${dataBlock(CARRIED_VIEW, carried)}\n`}${textsBlock(place.language)}<script type="module" nonce="${place.nonce}" src="${place.asset('main.js')}"></script>`,
  );
}

/** The page in the side bar while the panel is an editor. Its buttons send "show" and "return". */
export function elsewherePage(place: PanelPlace): string {
  return page(
    place,
    `<main class="elsewhere">
<p>${escaped(l10n.t('The chat is shown in an editor.'))}</p>
<p><button class="ghost link" type="button" data-act="show">${escaped(l10n.t('Go to it'))}</button></p>
<p><button class="ghost link" type="button" data-act="return">${escaped(l10n.t('Show it here'))}</button></p>
</main>
<script type="module" nonce="${place.nonce}">
const host = acquireVsCodeApi();
for (const button of document.querySelectorAll('button'))
  button.addEventListener('click', () => host.postMessage(button.dataset.act));
</script>`,
  );
}

/** Embeds JSON in a page. Escapes it so that it cannot end its element or begin a comment. */
export function dataBlock(id: string, json: string): string {
  const safe = json.replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  return `<script type="application/json" id="${id}">${safe}</script>`;
}

/** The translated texts for the page's scripts. Empty if the page is in English. */
export function textsBlock({ texts }: PageLanguage): string {
  return texts ? `${dataBlock(PAGE_TEXTS, JSON.stringify(texts))}\n` : '';
}

/** Returns a valid language tag, or English if the tag is invalid. */
function languageTag(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

/** The language of a page's texts, also for dates and screen readers, and the writing direction of the user. */
export function languageAttributes(language: PageLanguage): string {
  const tag = languageTag(language.tag);
  return `lang="${language.texts ? tag : 'en'}" dir="${/^(?:ar|fa|he|ur)\b/.test(tag) ? 'rtl' : 'ltr'}"`;
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function page({ cspSource, nonce, language, asset }: PanelPlace, body: string): string {
  return `<!DOCTYPE html>
<html ${languageAttributes(language)}>
<head>
<meta charset="UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(cspSource, nonce)}">
<link rel="stylesheet" href="${asset('main.css')}">
<title>Gantry</title>
</head>
<body>
${body}
</body>
</html>`;
}
