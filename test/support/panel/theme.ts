import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '../repo.ts';
import { isFullRun } from '../test-size.ts';
import type { ColorTheme } from '../workbench.ts';

/** The information about the theme that VS Code gives a webview. */
export interface WebviewTheme {
  readonly bodyClass: string;
  readonly kind: string;
  readonly variables: Readonly<Record<string, string>>;
}

const CLASSES: Readonly<Record<ColorTheme, string>> = {
  dark: 'vscode-dark',
  light: 'vscode-light',
  'hc-dark': 'vscode-high-contrast',
  'hc-light': 'vscode-high-contrast vscode-high-contrast-light',
};

export const THEMES: readonly ColorTheme[] = ['dark', 'light', 'hc-dark', 'hc-light'];

/** The themes for tests that do not depend on colours. Tests of colours use all four. */
export const SHOWN_THEMES: readonly ColorTheme[] = isFullRun ? THEMES : ['dark'];

/** The colours that VS Code 1.139 gives its webviews, from `test/fixtures/themes`. */
export function webviewTheme(theme: ColorTheme): WebviewTheme {
  const file = join(repoRoot, 'test', 'fixtures', 'themes', `${theme}.json`);
  const variables = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>;
  const bodyClass = CLASSES[theme];
  return { bodyClass, kind: bodyClass.split(' ').at(-1) ?? '', variables };
}

/** The fonts that `support/browser/fonts.ts` provides, which most Linux machines also have. */
const FONTS = ['DejaVu Sans', 'DejaVu Sans Mono'] as const;

/** Names the fonts explicitly, because `sans-serif` depends on the machine. */
export function withFonts(theme: WebviewTheme): WebviewTheme {
  const [words, code] = FONTS;
  const fonts = { '--vscode-font-family': `"${words}"`, '--vscode-editor-font-family': `"${code}"` };
  return { ...theme, variables: { ...theme.variables, ...fonts } };
}
