import { TOKEN_ROLES, type TokenColours } from '../../extension/protocol/panel/token-roles.ts';
import { parseColour, readable } from './contrast.ts';

/** An event on the document. */
export const THEME_CHANGED = 'gantry-theme-changed';

/** The colours of code. They are requested when the theme changes, and stored as CSS variables. */
export class ThemeColours {
  private readonly observer: MutationObserver;
  private asked: string | undefined;

  constructor(private readonly ask: (theme: string) => void) {
    this.observer = new MutationObserver(() => this.look());
    // VS Code sets the theme's name there before it sends the theme's colours.
    this.observer.observe(document.body, { attributeFilter: ['data-vscode-theme-id', 'class'] });
    this.look();
  }

  /** Colours that are hard to read on the background of code are adjusted. */
  show(colours: TokenColours): void {
    const { style } = document.documentElement;
    const computed = getComputedStyle(document.documentElement);
    const background = parseColour(computed.getPropertyValue('--vscode-editor-background'));
    const text = parseColour(computed.getPropertyValue('--vscode-editor-foreground'));
    for (const role of TOKEN_ROLES) {
      const colour = background && parseColour(colours[role] ?? '', background);
      if (colour && text) style.setProperty(`--code-${role}`, readable(colour, background, text));
      else style.removeProperty(`--code-${role}`);
    }
  }

  dispose(): void {
    this.observer.disconnect();
  }

  private look(): void {
    const { vscodeThemeId, vscodeThemeName } = document.body.dataset;
    const theme = vscodeThemeId ?? vscodeThemeName;
    if (theme === undefined || theme === this.asked) return;
    if (this.asked !== undefined) document.dispatchEvent(new Event(THEME_CHANGED));
    this.asked = theme;
    this.ask(theme);
  }
}
