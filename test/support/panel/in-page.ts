import type { WebviewTheme } from './theme.ts';

/** Functions that run in the page. Each is sent to the browser as text, so it can't use anything outside itself. */

declare global {
  interface Window {
    /** Receives the panel's messages; bound by the test. */
    panelPosted(panel: string | undefined, message: unknown): void;
    acquireVsCodeApi(): unknown;
  }
}

/** VS Code's part of a webview: the connection to the host, and state that outlives the page. */
export function provideVsCode(): void {
  const key = 'vscode-state';
  let acquired = false;
  window.acquireVsCodeApi = () => {
    if (acquired) throw new Error('An instance of the VS Code API has already been acquired');
    acquired = true;
    const { panel } = document.documentElement.dataset;
    // The page showed another panel before.
    if (sessionStorage.getItem('panel') !== panel) sessionStorage.clear();
    sessionStorage.setItem('panel', panel ?? '');
    return {
      postMessage: (message: unknown) => window.panelPosted(panel, message),
      getState: () => JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined,
      setState: (state: unknown) => sessionStorage.setItem(key, JSON.stringify(state)),
    };
  };
}

export function applyTheme({ bodyClass, kind, variables }: WebviewTheme): void {
  const { style } = document.documentElement;
  for (const name of [...style]) if (name.startsWith('--vscode-')) style.removeProperty(name);
  for (const [name, value] of Object.entries(variables)) style.setProperty(name, value);
  document.body.className = bodyClass;
  document.body.dataset['vscodeThemeKind'] = kind;
}

/** Posts a message as VS Code does. Resolves when the panel has received it. */
export function postToPanel(message: unknown): Promise<void> {
  return new Promise((resolve) => {
    window.addEventListener('message', () => resolve(), { once: true });
    window.postMessage(message, '*');
  });
}
