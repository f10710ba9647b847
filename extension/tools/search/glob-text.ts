/** A path as a glob that means exactly it. */
export function literalGlob(path: string): string {
  return path.replace(/[\\*?[\]{}!]/g, '\\$&');
}

/** A `--glob` that leaves a folder out wherever it is. The slash keeps files of that name in. */
export function withoutFolder(name: string): string {
  return `--glob=!${name}/`;
}

/** Folders, by their paths from where ripgrep starts. */
export function withoutPaths(paths: readonly string[]): string[] {
  return paths.map((path) => `--glob=!/${literalGlob(path)}/`);
}

/** Git's own data, as a folder or as the file that points to it. */
export const WITHOUT_GIT = '--iglob=!.git';
