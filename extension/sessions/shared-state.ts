import { readFile } from 'node:fs/promises';
import { State } from '@google/adk';
import * as z from 'zod';
import { InOrder } from '../base/in-order.ts';
import { replaceFile } from '../files/durable-files.ts';
import { isMissing } from '../files/error-code.ts';
import type { Logger } from '../ports/logger.ts';

/** State that all sessions share: ADK's `app:` and `user:` keys. It is only in memory if there is no file. */
export class SharedState {
  private values: Record<string, unknown> = {};
  private readonly saving = new InOrder();

  constructor(
    private readonly path: string | undefined,
    private readonly log: Logger,
  ) {}

  async load(): Promise<void> {
    if (this.path !== undefined) this.values = { ...(await this.read(this.path)), ...this.values };
  }

  current(): Readonly<Record<string, unknown>> {
    return this.values;
  }

  /** Stores the shared keys of a change. */
  take(delta: Readonly<Record<string, unknown>>): void {
    const shared = Object.entries(delta).filter(([key]) => isShared(key));
    if (shared.length === 0) return;
    const changes = Object.fromEntries(shared);
    this.values = { ...this.values, ...changes };
    const { path } = this;
    if (path === undefined) return;
    this.saving
      .run(() => this.save(path, changes))
      .catch((error: unknown) => this.log.error(`State shared by sessions was not saved to ${path}`, error));
  }

  saved(): Promise<void> {
    return this.saving.idle();
  }

  /** Merges only the keys that changed here, because other windows write the same file. */
  private async save(path: string, changes: Readonly<Record<string, unknown>>): Promise<void> {
    const merged = { ...(await this.read(path)), ...changes };
    await replaceFile(path, JSON.stringify(merged));
  }

  private async read(path: string): Promise<Record<string, unknown>> {
    try {
      return z.record(z.string(), z.unknown()).parse(JSON.parse(await readFile(path, 'utf8')));
    } catch (error) {
      if (!isMissing(error)) this.log.warn(`${path} could not be read; what sessions shared is started anew: ${error}`);
      return {};
    }
  }
}

function isShared(key: string): boolean {
  return key.startsWith(State.APP_PREFIX) || key.startsWith(State.USER_PREFIX);
}
