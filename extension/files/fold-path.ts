/**
 * The names of a path, normalized as the most lenient file system compares them: case, Unicode forms, invisible
 * characters, trailing dots and spaces, streams, both slashes. The result is the same on every platform, so that it
 * only ever matches more.
 */
export function foldPath(path: string): readonly string[] {
  const names: string[] = [];
  for (const name of path.replace(/^file:\/\/(?:localhost)?(?=\/)/i, '').split(/[\\/]+/)) {
    const folded = foldName(name);
    if (folded === '' || folded === '.') continue;
    if (folded === '..' && names.length > 0 && names.at(-1) !== '..') names.pop();
    else names.push(folded);
  }
  return names;
}

/** Names that can differ only in case. */
const ORDINARY = /^\.?[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/;

function foldName(name: string): string {
  if (ORDINARY.test(name)) return name.toLowerCase();
  const seen = name.normalize('NFKC').replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '');
  if (/^\.{1,2}$/.test(seen)) return seen;
  const withoutStream = /^[A-Za-z]:$/.test(seen) ? seen : seen.replace(/:.*$/s, '');
  // Upper case first, then lower case: some letters become equal only this way, such as the dotless i.
  return withoutStream
    .replace(/[. ]+$/, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFC');
}

/**
 * Whether `folded` may be the short form Windows keeps of `longName`: `VSCODE~1` for `.vscode`, and with a checksum once
 * four names collide, `VS1A2B~1`. https://learn.microsoft.com/windows/win32/fileio/naming-a-file#short-vs-long-names
 */
export function isShortNameOf(folded: string, longName: string): boolean {
  if (!folded.includes('~')) return false;
  const short = /^([^.~]{1,7})~\d+(?:\.([^.]{0,3}))?$/.exec(folded);
  if (!short) return false;
  const [, stem = ''] = short;
  const base = longName
    .replace(/^\.+/, '')
    .replace(/\.[^.]*$/, '')
    .replace(/[. ]/g, '');
  if (base.startsWith(stem) && stem.length >= Math.min(4, base.length)) return true;
  return /^.{2}[0-9a-f]{4}$/.test(stem) && base.startsWith(stem.slice(0, 2));
}
