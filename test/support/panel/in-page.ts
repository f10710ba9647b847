import type { WebviewTheme } from './theme.ts';

/** What runs in the page. Each function is sent to the browser as it is, so it can use nothing from outside itself. */

declare global {
  interface Window {
    /** What the panel posts; bound by the test. */
    panelPosted(message: unknown): void;
    acquireVsCodeApi(): unknown;
  }
}

/** VS Code's part of a webview: the way to the host, and state that outlives the page. */
export function provideVsCode(): void {
  const key = 'vscode-state';
  let acquired = false;
  window.acquireVsCodeApi = () => {
    if (acquired) throw new Error('An instance of the VS Code API has already been acquired');
    acquired = true;
    return {
      postMessage: (message: unknown) => window.panelPosted(message),
      getState: () => JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined,
      setState: (state: unknown) => sessionStorage.setItem(key, JSON.stringify(state)),
    };
  };
}

export function applyTheme({ bodyClass, kind, variables }: WebviewTheme): void {
  const apply = (): void => {
    const { style } = document.documentElement;
    for (const name of [...style]) if (name.startsWith('--vscode-')) style.removeProperty(name);
    for (const [name, value] of Object.entries(variables)) style.setProperty(name, value);
    if (!document.body) return;
    document.body.className = bodyClass;
    document.body.dataset['vscodeThemeKind'] = kind;
  };
  if (document.documentElement) apply();
  if (!document.body) document.addEventListener('readystatechange', apply, { once: true });
}
