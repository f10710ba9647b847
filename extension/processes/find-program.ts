import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { contains } from '../files/real-path.ts';

export interface ProgramSearch {
  /** The environment whose PATH is searched. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The absolute paths of folders whose programs don't count, such as those of the workspace. */
  readonly outside: readonly string[];
  readonly platform?: NodeJS.Platform;
}

/**
 * The absolute path of a program on the PATH. Relative folders of the PATH are skipped, and so is everything that is in
 * an excluded folder or links into one: the author of the project must not choose the program.
 */
export async function findProgram(name: string, search: ProgramSearch): Promise<string | undefined> {
  const { environment, outside, platform = process.platform } = search;
  const path = Object.entries(environment).find(([key]) => key.toUpperCase() === 'PATH')?.[1] ?? '';
  const excluded = [...outside, ...(await Promise.all(outside.map(real)))];
  const isExcluded = (place: string): boolean => excluded.some((folder) => contains(folder, place));
  // Only programs are started without a shell, so a script such as `yarn.cmd` isn't one.
  const file = platform === 'win32' ? `${name}.exe` : name;
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const candidate = installed(join(folder, file), platform);
    if (isExcluded(candidate)) continue;
    const found = await programAt(candidate);
    if (found !== undefined) return isExcluded(found) ? undefined : candidate;
  }
  return undefined;
}

/** The real path of an executable file. */
async function programAt(path: string): Promise<string | undefined> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile() ? await realpath(path) : undefined;
  } catch {
    return undefined;
  }
}

function real(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/** Until developer tools are installed, these programs of macOS only open a dialog that asks whether to install them. */
function installed(path: string, platform: NodeJS.Platform): string {
  const isStub = platform === 'darwin' && /^\/usr\/bin\/(?:git|python3|java|swift)$/.test(path);
  return isStub ? path.replace('/usr/bin', '/Library/Developer/CommandLineTools/usr/bin') : path;
}
