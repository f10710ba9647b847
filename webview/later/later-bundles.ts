import { afterPaint } from '../base/after-paint.ts';
import type { LineTokens } from '../highlight/line-tokens.ts';

/** Parts of the view that few conversations need: a bundle each, beside the panel's own, loaded when one does. */
interface LaterBundles {
  readonly highlight: { tokensFor(language: string): LineTokens | undefined };
  readonly maths: { mathsOf(tex: string, isBlock: boolean): DocumentFragment | undefined };
  readonly diagrams: { diagramPicture(source: string, id: string, place: HTMLElement): Promise<string> };
}

type Offered = { -readonly [Name in keyof LaterBundles]?: LaterBundles[Name] };

declare global {
  /** What is loaded: bundles share nothing but the page. */
  var gantryLater: Offered | undefined;
}

/** Each bundle says what it has. A page that has them in itself needs no address to load them from. */
export function offerLater<Name extends keyof LaterBundles>(name: Name, bundle: LaterBundles[Name]): void {
  globalThis.gantryLater ??= {};
  globalThis.gantryLater[name] = bundle;
}

/** May be asked for each use. The page's policy lets a script that has its nonce import others. */
export async function loadLater<Name extends keyof LaterBundles>(name: Name): Promise<LaterBundles[Name]> {
  if (!globalThis.gantryLater?.[name]) {
    // What is read first is what it says.
    await afterPaint();
    await import(new URL(`./later/${name}.js`, import.meta.url).href);
  }
  const bundle = globalThis.gantryLater?.[name];
  if (!bundle) throw new Error(`There is no ${name}.`);
  return bundle;
}
