export type Rgb = readonly [red: number, green: number, blue: number];

/** Parses a colour of a theme. A translucent colour is mixed with `behind`. Undefined for other notations. */
export function parseColour(text: string, behind: Rgb = [0, 0, 0]): Rgb | undefined {
  const value = text.trim();
  const hex = /^#([0-9a-f]{3,8})$/i.exec(value)?.[1];
  const parts = hex === undefined ? rgbParts(value) : hexParts(hex);
  if (!parts) return undefined;
  const [red = 0, green = 0, blue = 0, alpha = 1] = parts;
  return mixed([red, green, blue], behind, 1 - alpha);
}

function hexParts(hex: string): number[] | undefined {
  const size = hex.length < 5 ? 1 : 2;
  if (hex.length % size !== 0 || hex.length === 5) return undefined;
  const parts = hex.match(size === 1 ? /./g : /../g) ?? [];
  const values = parts.map((part) => Number.parseInt(size === 1 ? part + part : part, 16));
  return values.length < 3 ? undefined : values.map((part, index) => (index === 3 ? part / 255 : part));
}

function rgbParts(value: string): number[] | undefined {
  const inside = /^rgba?\(([^)]*)\)$/i.exec(value)?.[1];
  const parts = inside
    ?.split(/[\s,/]+/)
    .filter((part) => part !== '')
    .map(Number);
  return parts && parts.length >= 3 && parts.every((part) => Number.isFinite(part)) ? parts : undefined;
}

function mixed(one: Rgb, other: Rgb, share: number): Rgb {
  const part = (index: 0 | 1 | 2): number => one[index] * (1 - share) + other[index] * share;
  return [part(0), part(1), part(2)];
}

/** The contrast ratio as defined in WCAG 2, from 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast that WCAG AA requires for text. */
const READABLE = 4.5;
const STEPS = 10;

/** Moves the colour towards the text colour until it is readable on this background. */
export function readable(colour: Rgb, background: Rgb, text: Rgb): string {
  let shown = colour;
  for (let step = 1; step <= STEPS && contrast(shown, background) < READABLE; step++) {
    shown = mixed(colour, text, step / STEPS);
  }
  return `rgb(${shown.map(Math.round).join(' ')})`;
}
