import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import { isMissing } from '../../files/error-code.ts';
import { replaceFile } from '../../files/replace-file.ts';
import type { PolicyProblem } from './rule-set.ts';

const stored = z.object({ version: z.literal(1), files: z.record(z.string(), z.string()) });

export interface Acceptance {
  /** Whether the user said yes to this file as it is now. */
  isAccepted(file: string, text: string): boolean;
  readonly problems: readonly PolicyProblem[];
}

/** Which files of workspaces the user said yes to, by the hash of their text. A changed file waits again. */
export class AcceptedFiles {
  private saving: Promise<unknown> = Promise.resolve();

  /** Without a path nothing is kept. */
  constructor(
    private readonly path: string | undefined,
    /** What kind of file it is about, such as "policy file". */
    private readonly what: string,
  ) {}

  async read(): Promise<Acceptance> {
    const { hashes, problems } = await this.load();
    return { isAccepted: (file, text) => hashes[resolve(file)] === hashOf(text), problems };
  }

  /** The text the user saw, which need not be what the file has by now. */
  accept(file: string, text: string): Promise<void> {
    const { path } = this;
    if (path === undefined) return Promise.resolve();
    const saved = this.saving.then(async () => {
      const { hashes } = await this.load();
      const files = { ...hashes, [resolve(file)]: hashOf(text) };
      await replaceFile(path, `${JSON.stringify({ version: 1, files }, undefined, 2)}\n`);
    });
    this.saving = saved.catch(() => undefined);
    return saved;
  }

  private async load(): Promise<{ hashes: Readonly<Record<string, string>>; problems: readonly PolicyProblem[] }> {
    const { path } = this;
    if (path === undefined) return { hashes: {}, problems: [] };
    try {
      return { hashes: stored.parse(JSON.parse(await readFile(path, 'utf8'))).files, problems: [] };
    } catch (error) {
      if (isMissing(error)) return { hashes: {}, problems: [] };
      const reason = `It could not be read, so no ${this.what} of a workspace counts as accepted.`;
      return { hashes: {}, problems: [{ kind: 'file_read', severity: 'error', file: path, reason }] };
    }
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
