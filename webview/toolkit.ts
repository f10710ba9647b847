import { provideVSCodeDesignSystem, vsCodeButton } from '@vscode/webview-ui-toolkit';

/** The only door to the toolkit. It is no longer maintained upstream, so it must be easy to replace. */
export function registerToolkit(): void {
  provideVSCodeDesignSystem().register(vsCodeButton());
}
