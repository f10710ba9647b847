/** The part of a workspace folder that is used here. */
interface Folder {
  readonly name: string;
}

export interface Root<F extends Folder> {
  readonly folder: F;
  /** The prefix of its files' paths: empty for the only folder, else its name and a slash. */
  readonly prefix: string;
}

/** Gives each of several folders a unique prefix, even if two have the same name. */
export function prefixesOf<F extends Folder>(folders: readonly F[]): readonly Root<F>[] {
  const [only, another] = folders;
  if (only && !another) return [{ folder: only, prefix: '' }];
  return folders.map((folder, index) => {
    const same = folders.slice(0, index).filter(({ name }) => name === folder.name).length;
    const name = folder.name.replaceAll('/', '-');
    return { folder, prefix: same === 0 ? `${name}/` : `${name} (${same + 1})/` };
  });
}

export function rootOf<F extends Folder>(path: string, roots: readonly Root<F>[]): { folder: F; rest: string } {
  const root = roots.find(({ prefix }) => path.startsWith(prefix));
  if (root) return { folder: root.folder, rest: path.slice(root.prefix.length) };
  // The path is the folder itself.
  const whole = roots.find(({ prefix }) => prefix === `${path}/`);
  if (!whole) throw new Error(`${path} is in no folder that is open.`);
  return { folder: whole.folder, rest: '' };
}

/** The globs that the settings always exclude. Rules with a condition are ignored, as they depend on other files. */
export function hiddenGlobs(...settings: readonly unknown[]): readonly string[] {
  const globs = settings.flatMap((setting) =>
    typeof setting === 'object' && setting !== null ? Object.entries(setting) : [],
  );
  return [...new Set(globs.flatMap(([glob, value]) => (value === true ? [glob] : [])))];
}
