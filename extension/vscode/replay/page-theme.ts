import type { TokenColours } from '../../protocol/token-roles.ts';

const DARK = window.matchMedia('(prefers-color-scheme: dark)');
const CONTRAST = window.matchMedia('(prefers-contrast: more)');

/** Names the theme as VS Code does; `replay.css` has its colours. The reader's system may change it at any time. */
export function followTheme(): void {
  const show = (): void => {
    const { classList, dataset } = document.body;
    classList.remove('vscode-dark', 'vscode-light', 'vscode-high-contrast', 'vscode-high-contrast-light');
    if (CONTRAST.matches) classList.add('vscode-high-contrast');
    if (CONTRAST.matches && !DARK.matches) classList.add('vscode-high-contrast-light');
    if (!CONTRAST.matches) classList.add(DARK.matches ? 'vscode-dark' : 'vscode-light');
    dataset['vscodeThemeId'] = DARK.matches ? 'dark' : 'light';
  };
  document.body.classList.add('replay');
  for (const media of [DARK, CONTRAST]) media.addEventListener('change', show);
  show();
}

/** Of VS Code's default themes. */
export const CODE_COLOURS: Readonly<Record<string, TokenColours>> = {
  dark: {
    comment: '#6A9955',
    string: '#CE9178',
    number: '#B5CEA8',
    constant: '#569CD6',
    keyword: '#569CD6',
    control: '#C586C0',
    type: '#4EC9B0',
    function: '#DCDCAA',
    variable: '#9CDCFE',
    property: '#9CDCFE',
  },
  light: {
    comment: '#008000',
    string: '#A31515',
    number: '#098658',
    constant: '#0000FF',
    keyword: '#0000FF',
    control: '#AF00DB',
    type: '#267F99',
    function: '#795E26',
    variable: '#001080',
    property: '#001080',
  },
};
