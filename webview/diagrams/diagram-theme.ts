import type { MermaidConfig } from 'mermaid';
import { parseColour, type Rgb } from '../highlight/contrast.ts';

const FONT_SIZE = '13px';

/** The panel's colours for a diagram. A diagram cannot use CSS variables, because it is displayed as a picture. */
export function diagramTheme(style: CSSStyleDeclaration): MermaidConfig {
  const background = colour(style, '--vscode-editor-background', [255, 255, 255]);
  const text = colour(style, '--vscode-editor-foreground', [0, 0, 0], background);
  const line = hex(towards(text, background, 0.35));
  const box = hex(towards(background, text, 0.08));
  const inner = hex(towards(background, text, 0.03));
  const note = hex(towards(background, colour(style, '--vscode-progressBar-background', text, background), 0.25));
  const fontFamily = style.getPropertyValue('--vscode-font-family') || 'system-ui';
  const isDark = text[0] + text[1] + text[2] > background[0] + background[1] + background[2];
  return {
    theme: 'base',
    darkMode: isDark,
    fontFamily,
    themeVariables: {
      darkMode: isDark,
      fontFamily,
      fontSize: FONT_SIZE,
      background: hex(background),
      primaryColor: box,
      primaryTextColor: hex(text),
      primaryBorderColor: line,
      secondaryColor: inner,
      secondaryTextColor: hex(text),
      secondaryBorderColor: line,
      tertiaryColor: inner,
      tertiaryTextColor: hex(text),
      tertiaryBorderColor: line,
      lineColor: line,
      textColor: hex(text),
      noteBkgColor: note,
      noteTextColor: hex(text),
      noteBorderColor: line,
      edgeLabelBackground: hex(background),
      titleColor: hex(text),
    },
  };
}

function colour(style: CSSStyleDeclaration, name: string, otherwise: Rgb, behind?: Rgb): Rgb {
  return parseColour(style.getPropertyValue(name), behind) ?? otherwise;
}

function towards(from: Rgb, to: Rgb, share: number): Rgb {
  const part = (index: 0 | 1 | 2): number => from[index] * (1 - share) + to[index] * share;
  return [part(0), part(1), part(2)];
}

function hex(rgb: Rgb): string {
  return `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}
