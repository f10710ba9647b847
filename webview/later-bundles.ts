/**
 * Parts of the view that few conversations need: a bundle each, beside the panel's own, loaded when one does. The page's
 * policy lets a script that has its nonce import others.
 */
interface LaterBundles {
  readonly highlight: typeof import('./later/highlight.ts');
  readonly maths: typeof import('./later/maths.ts');
  readonly diagrams: typeof import('./later/diagrams.ts');
}

/** The page keeps what it has loaded, so this may be asked for each use. */
export function loadLater<Name extends keyof LaterBundles>(name: Name): Promise<LaterBundles[Name]> {
  return import(new URL(`./later/${name}.js`, import.meta.url).href);
}
