import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { BrowserContext, Route } from 'playwright-core';
import type { PageLanguage } from '../../../extension/protocol/panel/page-data.ts';
import { panelPage } from '../../../extension/vscode/page/panel-page.ts';
import { distDir } from '../dist.ts';
import type { WebviewTheme } from './theme.ts';

/** Where the panel is served from; no such host exists, every request is answered here. */
export const PANEL_ORIGIN = 'https://panel.test';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
};

/**
 * The styles that VS Code 1.139 puts in front of every webview, and behind it the side bar, through which a webview's
 * page is seen.
 */
const DEFAULT_STYLES = `
html { background: var(--vscode-sideBar-background); }
@layer vscode-default {
  html { scrollbar-color: var(--vscode-scrollbarSlider-background) var(--vscode-editor-background); }
  body {
    overscroll-behavior-x: none; background-color: transparent; color: var(--vscode-editor-foreground);
    font: var(--vscode-font-weight) var(--vscode-font-size) var(--vscode-font-family); margin: 0; padding: 0 20px;
  }
  img, video { max-width: 100%; max-height: 100%; }
  a, a code { color: var(--vscode-textLink-foreground); }
  p > a { text-decoration: var(--text-link-decoration); }
  a:hover { color: var(--vscode-textLink-activeForeground); }
  a:focus, input:focus, select:focus, textarea:focus { outline: 1px solid -webkit-focus-ring-color; outline-offset: -1px; }
  code {
    color: var(--vscode-textPreformat-foreground); background-color: var(--vscode-textPreformat-background);
    padding: 1px 3px; border-radius: 4px;
  }
  pre code { padding: 0; }
  blockquote { background: var(--vscode-textBlockQuote-background); border-color: var(--vscode-textBlockQuote-border); }
  kbd { border: 1px solid var(--vscode-keybindingLabel-border); border-radius: 3px; vertical-align: middle; padding: 1px 3px; }
  ::-webkit-scrollbar { width: 10px; height: 10px; }
  ::-webkit-scrollbar-thumb { background-color: var(--vscode-scrollbarSlider-background); }
}`;

/** A panel that a page is to show. */
export interface ServedPanel {
  /** Tells it from the others that the same page shows. */
  readonly number: number;
  readonly theme: WebviewTheme;
  /** What a page in another place has saved. */
  readonly carried?: string | undefined;
  readonly language?: PageLanguage | undefined;
  /** The page wanted something from elsewhere. */
  readonly asked: (url: string) => void;
}

const ENGLISH: PageLanguage = { tag: 'en' };

/** Serves the built panel to a browser as VS Code does. Whatever else the page asks for it does not get. */
export async function servePanel(context: BrowserContext, served: () => ServedPanel | undefined): Promise<void> {
  await context.route('**/*', async (route) => {
    const url = new URL(route.request().url());
    const panel = served();
    if (url.origin !== PANEL_ORIGIN || panel === undefined) {
      panel?.asked(url.href);
      return route.abort();
    }
    return url.pathname === '/' ? servePage(route, panel) : serveFile(route, url.pathname);
  });
}

function servePage(route: Route, { number, theme, carried, language = ENGLISH }: ServedPanel): Promise<void> {
  const place = {
    cspSource: PANEL_ORIGIN,
    nonce: 'bm9uY2Utb2YtdGhlLXRlc3Rz',
    language,
    asset: (name: string) => `${PANEL_ORIGIN}/${name}`,
  };
  const page = panelPage(place, carried);
  const variables = Object.entries(theme.variables).map(([name, value]) => `${name}: ${value};`);
  const style = variables.join(' ').replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  // In front of the policy, as VS Code has it: the policy does not allow them.
  const body = page
    .replace('<html', () => `<html data-panel="${number}" style="${style}"`)
    .replace('<head>', `<head><style id="_defaultStyles">${DEFAULT_STYLES}</style>`)
    .replace('<body', `<body class="${theme.bodyClass}" data-vscode-theme-kind="${theme.kind}"`);
  return route.fulfill({ body, contentType: 'text/html; charset=utf-8' });
}

async function serveFile(route: Route, pathname: string): Promise<void> {
  const path = join(distDir, 'webview', pathname);
  const body = await readFile(path).catch(() => undefined);
  if (body === undefined) return route.fulfill({ status: 404 });
  return route.fulfill({ body, contentType: CONTENT_TYPES[extname(path)] ?? 'application/octet-stream' });
}
