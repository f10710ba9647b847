import { readFileSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { repoRoot } from '../repo.ts';
import type { TimedTest } from '../reporter.ts';

interface RememberedFile {
  /** The modification time of the file when these tests ran. */
  readonly changed: number;
  readonly tests: readonly TimedTest[];
}

/**
 * Remembers the tests of each file and their last durations, to start slow files first and to find a test without
 * loading all files. Results don't depend on it.
 */
export class RememberedTests {
  private readonly files: Map<string, RememberedFile>;

  constructor(private readonly path: string = join(repoRoot, 'out', 'remembered-tests.json')) {
    this.files = new Map(Object.entries(readRemembered(path)));
  }

  /** The files that may contain a matching test: new and changed files may, and all files if no known test matches. */
  filesWith(title: RegExp, among: readonly string[]): readonly string[] {
    const has = (file: string): boolean => this.testsIn(file)?.some((test) => title.test(test.title)) ?? true;
    return among.some((file) => this.testsIn(file) !== undefined && has(file)) ? among.filter(has) : among;
  }

  /**
   * The duration of a file. If it is unknown, its size and the number of its random tests replace it, so the file
   * counts as slow.
   */
  milliseconds(file: string): number {
    const { tests } = this.files.get(file) ?? {};
    return tests?.reduce((sum, test) => sum + test.milliseconds, 0) ?? sourceOf(file).size + randomTestsIn(file);
  }

  remember(file: string, tests: readonly TimedTest[]): void {
    this.files.set(file, { changed: sourceOf(file).mtimeMs, tests });
  }

  async save(): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true });
    await writeFile(this.path, JSON.stringify(Object.fromEntries(this.files)));
  }

  private testsIn(file: string): readonly TimedTest[] | undefined {
    const remembered = this.files.get(file);
    return remembered?.changed === sourceOf(file).mtimeMs ? remembered.tests : undefined;
  }
}

/** The largest number of runs that the file asks for at full size. */
function randomTestsIn(file: string): number {
  const text = readFileSync(join(repoRoot, 'test', file), 'utf8');
  return Math.max(
    0,
    ...[...text.matchAll(/\bruns\([\d_]+, ([\d_]+)\)/g)].map(([, full = '']) => Number(full.replaceAll('_', ''))),
  );
}

function sourceOf(file: string): { readonly size: number; readonly mtimeMs: number } {
  return statSync(join(repoRoot, 'test', file), { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: 0 };
}

function readRemembered(path: string): Record<string, RememberedFile> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, RememberedFile>;
  } catch {
    return {};
  }
}
