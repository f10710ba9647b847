import { afterPaint } from '../base/after-paint.ts';
import type { LineTokens } from '../highlight/line-tokens.ts';

/** Parts of the view that few conversations need. Each is a bundle next to the panel's own, loaded on first use. */
interface LaterBundles {
  readonly highlight: { tokensFor(language: string): LineTokens | undefined };
  readonly maths: { mathsOf(tex: string, isBlock: boolean): DocumentFragment | undefined };
  readonly diagrams: { diagramPicture(source: string, id: string, place: HTMLElement): Promise<string> };
}

type Offered = { -readonly [Name in keyof LaterBundles]?: LaterBundles[Name] };

declare global {
  /** The loaded bundles. Bundles share nothing but the page. */
  var gantryLater: Offered | undefined;
}

/** Registers the contents of a bundle. A page that contains its bundles doesn't need to load them. */
export function offerLater<Name extends keyof LaterBundles>(name: Name, bundle: LaterBundles[Name]): void {
  globalThis.gantryLater ??= {};
  globalThis.gantryLater[name] = bundle;
}

/** Can be called for each use. The content security policy allows a script with the nonce to import others. */
export async function loadLater<Name extends keyof LaterBundles>(name: Name): Promise<LaterBundles[Name]> {
  if (!globalThis.gantryLater?.[name]) {
    // Let the text be painted first.
    await afterPaint();
    await import(new URL(`./later/${name}.js`, import.meta.url).href);
  }
  const bundle = globalThis.gantryLater?.[name];
  if (!bundle) throw new Error(`There is no ${name}.`);
  return bundle;
}
