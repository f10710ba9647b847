import { readFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import type { PageLanguage } from '../../../extension/protocol/panel/page-data.ts';
import { panelPage } from '../../../extension/vscode/page/panel-page.ts';
import { distDir } from '../dist.ts';
import { LOOPBACK } from '../web-server.ts';
import type { WebviewTheme } from './theme.ts';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
};

/**
 * The styles that VS Code 1.139 adds to every webview, and the background of the side bar, which is visible through a
 * webview's page.
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

/** A panel for a page to show. */
export interface ServedPanel {
  /** Distinguishes it from other panels that the same page shows. */
  readonly number: number;
  readonly theme: WebviewTheme;
  /** The state that a page in another place has saved. */
  readonly carried?: string | undefined;
  readonly language?: PageLanguage | undefined;
}

const ENGLISH: PageLanguage = { tag: 'en' };

let shared: Promise<PanelServer> | undefined;

/** One server for all suites of this process. It ends with the process. */
export function sharedPanelServer(): Promise<PanelServer> {
  shared ??= PanelServer.start();
  return shared;
}

/**
 * Serves the built panel to a browser as VS Code does. It is a real server, because a browser caches nothing while a
 * test intercepts its requests, which costs a sixth of the time of all component tests.
 */
export class PanelServer {
  private readonly pages: (() => ServedPanel | undefined)[] = [];

  private constructor(readonly origin: string) {}

  static async start(): Promise<PanelServer> {
    const server = createServer((request, response) => void panels.answer(request.url ?? '/', response));
    // The server and its connections must not keep the process alive.
    server.unref().on('connection', (socket) => socket.unref());
    const panels = new PanelServer(`http://${LOOPBACK}:${await listen(server)}`);
    return panels;
  }

  /** The URL of a page that shows the result of `served` when it is loaded. */
  add(served: () => ServedPanel | undefined): string {
    return `${this.origin}/page/${this.pages.push(served) - 1}`;
  }

  private async answer(url: string, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(url, this.origin);
    const number = /^\/page\/(\d+)$/.exec(pathname)?.[1];
    const panel = number === undefined ? undefined : this.pages[Number(number)]?.();
    if (panel === undefined) return sendFile(pathname, response);
    response.setHeader('Content-Type', 'text/html; charset=utf-8').setHeader('Cache-Control', 'no-store');
    response.end(pageOf(panel, this.origin));
  }
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, LOOPBACK, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
}

function pageOf({ number, theme, carried, language = ENGLISH }: ServedPanel, origin: string): string {
  const place = {
    cspSource: origin,
    nonce: 'bm9uY2Utb2YtdGhlLXRlc3Rz',
    language,
    asset: (name: string) => `${origin}/${name}`,
  };
  const variables = Object.entries(theme.variables).map(([name, value]) => `${name}: ${value};`);
  const style = variables.join(' ').replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  // Before the content security policy, as in VS Code: the policy does not allow these styles.
  return panelPage(place, carried)
    .replace('<html', () => `<html data-panel="${number}" style="${style}"`)
    .replace('<head>', `<head><style id="_defaultStyles">${DEFAULT_STYLES}</style>`)
    .replace('<body', `<body class="${theme.bodyClass}" data-vscode-theme-kind="${theme.kind}"`);
}

async function sendFile(pathname: string, response: ServerResponse): Promise<void> {
  const path = join(distDir, 'webview', pathname);
  const body = await readFile(path).catch(() => undefined);
  if (body === undefined) {
    response.writeHead(404).end();
    return;
  }
  response.setHeader('Content-Type', CONTENT_TYPES[extname(path)] ?? 'application/octet-stream');
  response.setHeader('Cache-Control', 'max-age=3600').end(body);
}
