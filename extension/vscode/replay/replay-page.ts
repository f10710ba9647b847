import { createHash } from 'node:crypto';
import type { PageLanguage } from '../../protocol/panel/page-data.ts';
import { REPLAY_DATA, type Replay } from '../../protocol/transcript/replay.ts';
import { dataBlock, EMPTY_STYLE, escaped, languageAttributes, textsBlock } from '../page/panel-page.ts';

/** Files of the built panel, by their names below `dist/webview`. */
export interface PanelFiles {
  text(name: string): Promise<string>;
  bytes(name: string): Promise<Uint8Array>;
}

/** Bundles that only some conversations need, with a text that occurs in the conversations that need them. */
const LATER: readonly { readonly name: string; readonly sign: string }[] = [
  { name: 'later/highlight.js', sign: '```' },
  { name: 'later/maths.js', sign: '$' },
  { name: 'later/diagrams.js', sign: 'mermaid' },
];

/**
 * A standalone page with the panel and a conversation. It makes no requests: scripts, styles and the icon font are
 * embedded, and its content security policy allows exactly these, by their hashes.
 */
export async function replayPage(replay: Replay, files: PanelFiles, language: PageLanguage): Promise<string> {
  const data = JSON.stringify(replay);
  const later = LATER.filter(({ sign }) => data.includes(sign)).map(({ name }) => name);
  const scripts = await Promise.all(['later/replay.js', ...later, 'main.js'].map((name) => files.text(name)));
  const styles = await Promise.all([files.text('later/replay.css'), files.text('main.css')]);
  const safeScripts = scripts.map(safeScript);
  const style = safeStyle(await withFonts(styles.join('\n'), files));
  return `<!DOCTYPE html>
<html ${languageAttributes(language)}>
<head>
<meta charset="UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${replayPolicy(style, safeScripts)}">
<meta name="referrer" content="no-referrer">
<title>${escaped(replay.title || 'Gantry')}</title>
<style>${style}</style>
</head>
<body>
<gantry-panel></gantry-panel>
${dataBlock(REPLAY_DATA, data)}
${textsBlock(language)}${safeScripts.map((script) => `<script type="module">${script}</script>`).join('\n')}
</body>
</html>
`;
}

function replayPolicy(style: string, scripts: readonly string[]): string {
  return [
    `default-src 'none'`,
    'img-src data:',
    'font-src data:',
    `style-src ${hashOf(style)} ${EMPTY_STYLE}`,
    `script-src ${scripts.map(hashOf).join(' ')}`,
    `form-action 'none'`,
    `base-uri 'none'`,
  ].join('; ');
}

/** The hash as a browser computes it. The text must have normalized line breaks, as a browser normalizes them. */
function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** A bundle contains these sequences only in strings and patterns, where the escaped forms are equivalent. */
function safeScript(script: string): string {
  return withoutMap(script)
    .replaceAll(/<\/(?=script)/gi, '<\\/')
    .replaceAll('<!--', '\\x3C!--');
}

function safeStyle(style: string): string {
  return withoutMap(style).replaceAll(/<\/(?=style)/gi, '<\\/');
}

/** A development build references its source map, which a browser would request. */
function withoutMap(text: string): string {
  return oneKindOfBreak(text).replaceAll(/^(?:\/\/|\/\*)# sourceMappingURL=.*$/gm, '');
}

function oneKindOfBreak(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

const FONT = /url\(\s*["']?([^"')]+\.ttf)[^"')]*["']?\s*\)/g;

async function withFonts(style: string, files: PanelFiles): Promise<string> {
  const names = new Set([...style.matchAll(FONT)].flatMap(([, name]) => name ?? []));
  const fonts = new Map<string, string>();
  for (const name of names) {
    const bytes = await files.bytes(name.replace(/^\.\//, ''));
    fonts.set(name, `url("data:font/ttf;base64,${Buffer.from(bytes).toString('base64')}")`);
  }
  return style.replaceAll(FONT, (address, name: string) => fonts.get(name) ?? address);
}
