/** A glob that matches exactly this path. */
export function literalGlob(path: string): string {
  return path.replace(/[\\*?[\]{}!]/g, '\\$&');
}

/** A `--glob` that excludes a folder at any depth. Because of the slash, files of that name are not excluded. */
export function withoutFolder(name: string): string {
  return `--glob=!${name}/`;
}

/** Excludes folders by their paths relative to where ripgrep starts. */
export function withoutPaths(paths: readonly string[]): string[] {
  return paths.map((path) => `--glob=!/${literalGlob(path)}/`);
}

/** Excludes Git's own data, whether it is a folder or a file that points to it. */
export const WITHOUT_GIT = '--iglob=!.git';
