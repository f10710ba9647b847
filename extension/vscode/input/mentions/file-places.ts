/** A workspace folder, as far as it is used here. */
interface Folder {
  readonly name: string;
}

export interface Root<F extends Folder> {
  readonly folder: F;
  /** Before the paths of its files: nothing for the only folder, else its name and a slash. */
  readonly prefix: string;
}

/** Of several folders each has a prefix of its own, also where two have the same name. */
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
  // The folder itself.
  const whole = roots.find(({ prefix }) => prefix === `${path}/`);
  if (!whole) throw new Error(`${path} is in no folder that is open.`);
  return { folder: whole.folder, rest: '' };
}

/** What the settings hide for good; a rule with a condition depends on other files. */
export function hiddenGlobs(...settings: readonly unknown[]): readonly string[] {
  const globs = settings.flatMap((setting) =>
    typeof setting === 'object' && setting !== null ? Object.entries(setting) : [],
  );
  return [...new Set(globs.flatMap(([glob, value]) => (value === true ? [glob] : [])))];
}
