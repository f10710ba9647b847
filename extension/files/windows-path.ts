/**
 * Windows names that do not mean what they seem to. The check uses only text, so that it can be tested on every
 * platform.
 * https://learn.microsoft.com/windows/win32/fileio/naming-a-file
 */
const DEVICE_NAME = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:[. ].*)?$/i;
const DRIVE = /^[a-z]:[\\/]/i;

export type WindowsPathProblem = 'device' | 'stream' | 'network' | 'trailing_dot_or_space';

/**
 * `path` may be relative or absolute. A network path is allowed only below a root that is on the network too: merely
 * accessing `\\host\share` sends the user's credentials to that host.
 */
export function windowsPathProblem(path: string, roots: readonly string[]): WindowsPathProblem | undefined {
  const slashed = path.replaceAll('/', '\\');
  if (/^\\\\[?.]\\/.test(slashed) || /^\\\?\?\\/.test(slashed)) return 'device';
  if (slashed.startsWith('\\\\') && !roots.some((root) => isBelow(root, slashed))) return 'network';
  const names = slashed.replace(DRIVE, '').split('\\');
  for (const name of names) {
    if (name === '' || name === '.' || name === '..') continue;
    if (name.includes(':')) return 'stream';
    if (DEVICE_NAME.test(name)) return 'device';
    // Windows drops these characters, so `.git.` would be `.git`.
    if (/[. ]$/.test(name)) return 'trailing_dot_or_space';
  }
  return undefined;
}

function isBelow(root: string, slashed: string): boolean {
  const folder = root.replaceAll('/', '\\').replace(/\\+$/, '').toLowerCase();
  const path = slashed.toLowerCase();
  return path === folder || path.startsWith(`${folder}\\`);
}
