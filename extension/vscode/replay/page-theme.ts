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
