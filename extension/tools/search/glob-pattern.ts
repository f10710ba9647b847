import { lstat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { literalGlob } from './glob-text.ts';
import type { SearchPlace } from './search-place.ts';

export type GlobPattern = { readonly glob: string } | { readonly outside: true };

/** A pattern the model wrote as one that ripgrep matches from the place on, or that it leads out of it. */
export async function patternIn(place: SearchPlace, pattern: string): Promise<GlobPattern> {
  const slashed = process.platform === 'win32' ? pattern.replaceAll('\\', '/') : pattern;
  const inPlace = isAbsolute(slashed)
    ? (fromPlace(slashed, place.path) ?? fromPlace(slashed, place.editorPath))
    : slashed.replace(/^(\.\/+)+/, '');
  if (inPlace === undefined || climbs(inPlace)) return { outside: true };
  return { glob: (await isFileName(place.path, inPlace)) ? literalGlob(inPlace) : inPlace };
}

function fromPlace(pattern: string, folder: string): string | undefined {
  const prefix = `${folder.replaceAll('\\', '/').replace(/\/+$/, '')}/`;
  return pattern.startsWith(prefix) ? pattern.slice(prefix.length) : undefined;
}

/** Nothing outside is listed anyway; saying so helps the model more than an empty result. */
function climbs(pattern: string): boolean {
  return /(^|[/{,])\.\.($|[/},])/.test(pattern);
}

/** `app/[id]/page.tsx` is a file of that name before it is a pattern. */
function isFileName(folder: string, pattern: string): Promise<boolean> {
  return lstat(join(folder, pattern)).then(
    (stats) => stats.isFile(),
    () => false,
  );
}
