import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repoRoot } from '../repo.ts';

/** The file that knows where the production bundles are: a test that has it among what it is made of needs them. */
const NEEDS_BUNDLES = 'test/support/dist.ts';

/** Every file of tests in these folders of `test`, named from there. */
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

/** What each built file of tests is made of, as `esbuild.mjs --tests` has left it. */
export class BuiltTests {
  private constructor(private readonly inputs: Readonly<Record<string, readonly string[]>>) {}

  static async read(): Promise<BuiltTests> {
    const text = await readFile(join(repoRoot, 'out', 'test', 'inputs.json'), 'utf8');
    return new BuiltTests(JSON.parse(text) as Record<string, readonly string[]>);
  }

  needsBundles(file: string): boolean {
    return this.inputs[file]?.includes(NEEDS_BUNDLES) ?? true;
  }

  /** Whether one of these files of the repository, named from its root, is part of it. */
  isMadeOf(file: string, changed: ReadonlySet<string>): boolean {
    return this.inputs[file]?.some((input) => changed.has(input)) ?? true;
  }
}

export function builtPath(file: string): string {
  return join(repoRoot, 'out', 'test', file.replace(/\.ts$/, '.mjs'));
}
