import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as z from 'zod';
import { InOrder } from '../base/in-order.ts';
import { replaceFile } from './durable-files.ts';
import { isMissing } from './error-code.ts';

/** The user's consents for workspaces, stored in a file of the user. */
class ConsentFile<Stored> {
  private readonly saving = new InOrder();

  /** Without a path, nothing is stored. */
  constructor(
    readonly path: string | undefined,
    private readonly schema: () => z.ZodType<Stored>,
    private readonly nothing: Stored,
  ) {}

  /** Throws if the file is invalid. */
  async read(): Promise<Stored> {
    if (this.path === undefined) return this.nothing;
    try {
      return this.schema().parse(JSON.parse(await readFile(this.path, 'utf8')));
    } catch (error) {
      if (isMissing(error)) return this.nothing;
      throw error;
    }
  }

  /** Reads the file again first, because another window may have changed it. */
  async change(update: (stored: Stored) => Stored, damaged: (error: unknown) => Stored): Promise<void> {
    const { path } = this;
    if (path === undefined) return;
    await this.saving.run(async () => {
      const stored = update(await this.read().catch(damaged));
      await replaceFile(path, `${JSON.stringify(stored, undefined, 2)}\n`);
    });
  }
}

type HashesOfWorkspaces = Readonly<Record<string, readonly string[]>>;

/** The definitions of a project that the user accepted, such as its hooks, identified by their hashes. */
export class AcceptedHashes {
  private accepted: ReadonlySet<string> = new Set();
  private readonly file: ConsentFile<HashesOfWorkspaces>;

  /** Without a path, nothing is stored, and an approval lasts as long as this process. */
  constructor(
    path: string | undefined,
    private readonly workspace: string,
  ) {
    this.file = new ConsentFile<HashesOfWorkspaces>(path, () => z.record(z.string(), z.array(z.string())), {});
  }

  has(hash: string): boolean {
    return this.accepted.has(hash);
  }

  /** If the file is unreadable or invalid, nothing is accepted. */
  async load(): Promise<void> {
    if (this.file.path === undefined) return;
    const all = await this.file.read().catch((): HashesOfWorkspaces => ({}));
    this.accepted = new Set(Object.hasOwn(all, this.workspace) ? all[this.workspace] : []);
  }

  async accept(hashes: readonly string[]): Promise<void> {
    this.accepted = new Set([...this.accepted, ...hashes]);
    const { workspace } = this;
    await this.file.change(
      (all) => ({ ...all, [workspace]: [...new Set([...(all[workspace] ?? []), ...hashes])] }),
      (error) => {
        if (error instanceof SyntaxError || error instanceof z.ZodError) return {};
        throw error;
      },
    );
  }
}

interface StoredFiles {
  readonly version: 1;
  readonly files: Readonly<Record<string, string>>;
}

const NO_FILES: StoredFiles = { version: 1, files: {} };

export interface Acceptance {
  /** Whether the user accepted this file as it is now. */
  isAccepted(file: string, text: string): boolean;
  /** Whether the user accepted this file as it was at any time. */
  isKnown(file: string): boolean;
  /** Why nothing is accepted. */
  readonly problems: readonly AcceptanceProblem[];
}

export interface AcceptanceProblem {
  readonly kind: 'file_read';
  readonly severity: 'error';
  readonly file: string;
  readonly reason: string;
}

/**
 * The workspace files that the user accepted, identified by the hash of their text. A changed file must be accepted
 * again.
 */
export class AcceptedFiles {
  private readonly file: ConsentFile<StoredFiles>;

  /** Without a path, nothing is stored. */
  constructor(
    private readonly path: string | undefined,
    /** The kind of file, such as "policy file". */
    private readonly what: string,
  ) {
    const schema = (): z.ZodType<StoredFiles> =>
      z.object({ version: z.literal(1), files: z.record(z.string(), z.string()) });
    this.file = new ConsentFile(path, schema, NO_FILES);
  }

  async read(): Promise<Acceptance> {
    try {
      const { files } = await this.file.read();
      return {
        isAccepted: (file, text) => {
          const accepted = files[resolve(file)];
          return accepted !== undefined && accepted === hashOf(text);
        },
        isKnown: (file) => Object.hasOwn(files, resolve(file)),
        problems: [],
      };
    } catch {
      const reason = `It could not be read, so no ${this.what} of a workspace counts as accepted.`;
      const problem = { kind: 'file_read', severity: 'error', file: this.path ?? '', reason } as const;
      return { isAccepted: () => false, isKnown: () => false, problems: [problem] };
    }
  }

  /** Accepts the text that the user saw. The file may have changed since then. */
  accept(file: string, text: string): Promise<void> {
    const entry = { [resolve(file)]: hashOf(text) };
    return this.file.change(
      ({ files }) => ({ version: 1, files: { ...files, ...entry } }),
      () => NO_FILES,
    );
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
