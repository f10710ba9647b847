import type { PanelPage } from './panel-page.ts';

/** Names that are the same in every language. */
const NAMES = ['Gantry', 'GEMINI_API_KEY'];

/** The texts of the page, for readers and screen readers, that have no marks and are not from the host. */
export async function unmarked(panel: Pick<PanelPage, 'page'> & { posted: unknown }): Promise<readonly string[]> {
  const told = [...new Set(stringsIn(panel.posted).map(flattened))].sort((a, b) => b.length - a.length);
  const found = await panel.page.evaluate(readTexts);
  return found.filter(({ text }) => isOurs(flattened(text), told)).map(({ where, text }) => `${where}: ${text}`);
}

function isOurs(text: string, told: readonly string[]): boolean {
  return text.split(/‹[^‹›]*›| · /).some((piece) => {
    const words = piece.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '').replace(/:\d+$/, '');
    if (!LATIN.test(words) || told.some((one) => one.includes(words))) return false;
    // The text may combine several texts of the host, or a name.
    return LATIN.test([...told.filter((one) => one.length > 1), ...NAMES].reduce(without, piece));
  });
}

const LATIN = /[A-Za-z]{2,}/;

function without(text: string, part: string): string {
  return text.replaceAll(part, '');
}

function flattened(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** Runs in the page. */
function readTexts(): { where: string; text: string }[] {
  const found: { where: string; text: string }[] = [];
  const attributes = ['aria-label', 'aria-description', 'aria-valuetext', 'title', 'placeholder', 'alt'];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node instanceof Element ? node : node.parentElement;
    if (!element || element.closest('script, style')) continue;
    const where = `${element.localName}.${element.className}`;
    if (node instanceof Text && node.data.trim() !== '') found.push({ where, text: node.data.trim() });
    if (!(node instanceof Element)) continue;
    for (const name of attributes) {
      const text = node.getAttribute(name);
      if (text) found.push({ where: `${where} ${name}`, text });
    }
  }
  return found;
}
