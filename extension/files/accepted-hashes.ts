import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { isMissing } from './error-code.ts';
import { replaceFile } from './replace-file.ts';

const stored = z.record(z.string(), z.array(z.string()));
type Stored = z.infer<typeof stored>;

/** What of a project the user said yes to, such as its hooks, by the hash of what it is; in a file, by workspace. */
export class AcceptedHashes {
  /** Without a path nothing is kept, and a yes holds as long as this process. */
  private accepted: ReadonlySet<string> = new Set();

  constructor(
    private readonly path: string | undefined,
    private readonly workspace: string,
  ) {}

  has(hash: string): boolean {
    return this.accepted.has(hash);
  }

  /** A file that cannot be read or understood accepts nothing. */
  async load(): Promise<void> {
    if (this.path === undefined) return;
    const all = await this.read().catch((): Stored => ({}));
    this.accepted = new Set(Object.hasOwn(all, this.workspace) ? all[this.workspace] : []);
  }

  async accept(hashes: readonly string[]): Promise<void> {
    this.accepted = new Set([...this.accepted, ...hashes]);
    if (this.path === undefined) return;
    // Read again: another window may have written since.
    const all = await this.read();
    const mine = [...new Set([...(all[this.workspace] ?? []), ...hashes])];
    await replaceFile(this.path, `${JSON.stringify({ ...all, [this.workspace]: mine }, undefined, 2)}\n`);
  }

  private async read(): Promise<Stored> {
    try {
      return stored.parse(JSON.parse(await readFile(this.path ?? '', 'utf8')));
    } catch (error) {
      if (isMissing(error) || error instanceof SyntaxError || error instanceof z.ZodError) return {};
      throw error;
    }
  }
}
