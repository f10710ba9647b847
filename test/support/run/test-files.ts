import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repoRoot } from '../repo.ts';

/** The file that knows the path of the production bundles: a test that includes it needs them. */
const NEEDS_BUNDLES = 'test/support/dist.ts';

/** All test files in these folders, relative to `test`. */
export async function testFilesIn(folders: readonly string[]): Promise<readonly string[]> {
  const names = folders.map(async (folder) => {
    const found = await readdir(join(repoRoot, 'test', folder), { recursive: true }).catch(() => []);
    return found.map((name) => join(folder, name).replaceAll('\\', '/'));
  });
  return (await Promise.all(names))
    .flat()
    .filter((name) => name.endsWith('.test.ts'))
    .sort();
}

/** The sources of each built test file, as written by `esbuild.mjs --tests`. */
export class BuiltTests {
  private constructor(private readonly inputs: Readonly<Record<string, readonly string[]>>) {}

  static async read(): Promise<BuiltTests> {
    const text = await readFile(join(repoRoot, 'out', 'test', 'inputs.json'), 'utf8');
    return new BuiltTests(JSON.parse(text) as Record<string, readonly string[]>);
  }

  needsBundles(file: string): boolean {
    return this.inputs[file]?.includes(NEEDS_BUNDLES) ?? true;
  }

  /** Whether the test file includes one of these files, given relative to the root of the repository. */
  isMadeOf(file: string, changed: ReadonlySet<string>): boolean {
    return this.inputs[file]?.some((input) => changed.has(input)) ?? true;
  }
}

export function builtPath(file: string): string {
  return join(repoRoot, 'out', 'test', file.replace(/\.ts$/, '.mjs'));
}
