import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TaskPushNotificationConfig } from '@a2a-js/sdk';
import { InOrder } from '../base/in-order.ts';
import { isObject } from '../base/objects.ts';
import { removeFile, replaceFile } from '../files/durable-files.ts';
import type { Logger } from '../ports/logger.ts';
import type { PushTarget } from './push-sender.ts';
import { type PushPrefix, pushConfig } from './push-target.ts';

export interface PushStoreParts {
  readonly folder: string;
  /** The folder whose sessions are served. Servers of other folders keep their configs in the same place. */
  readonly workspace: string;
  readonly prefix: PushPrefix;
  readonly log: Logger;
}

export interface StoredTargets {
  readonly taskId: string;
  readonly targets: readonly PushTarget[];
}

/**
 * The push notification configs of tasks that have not ended, in a file for each task, which only the user can read.
 * They aren't in the logs of sessions, because they contain secrets of clients.
 */
export class PushStore {
  private readonly order = new InOrder();

  constructor(private readonly parts: PushStoreParts) {}

  /** Configs whose URL isn't below the prefix any more are ignored. */
  async load(): Promise<StoredTargets[]> {
    const { folder } = this.parts;
    const names = await readdir(folder).catch(() => []);
    const found: StoredTargets[] = [];
    for (const name of names.filter((each) => each.endsWith('.json'))) {
      const stored = this.read(await readFile(join(folder, name), 'utf8').catch(() => ''));
      if (stored) found.push(stored);
    }
    return found;
  }

  /** Without targets, the file is removed. Never rejects: what could not be stored works until the server ends. */
  save(taskId: string, targets: readonly PushTarget[]): Promise<void> {
    const { folder, workspace, log } = this.parts;
    const path = join(folder, `${createHash('sha256').update(taskId).digest('hex').slice(0, 32)}.json`);
    return this.order.run(async () => {
      try {
        if (targets.length === 0) await removeFile(path);
        else await replaceFile(path, JSON.stringify({ taskId, workspace, targets }));
      } catch (error) {
        log.error(`The push notification configs of the task ${taskId} were not stored`, error);
      }
    });
  }

  private read(text: string): StoredTargets | undefined {
    const { workspace, prefix, log } = this.parts;
    try {
      const { taskId, workspace: owner, targets }: Readonly<Record<string, unknown>> = JSON.parse(text);
      if (typeof taskId !== 'string' || owner !== workspace || !Array.isArray(targets)) return undefined;
      const readable = targets.flatMap((target: unknown): PushTarget[] => {
        if (!isObject(target) || !isObject(target['config'])) return [];
        try {
          const config = pushConfig(target['config'] as unknown as TaskPushNotificationConfig, prefix);
          return [{ config: { ...config, taskId }, version: String(target['version']) }];
        } catch {
          log.warn(`A push notification config of the task ${taskId} is ignored: its URL is not below --push.`);
          return [];
        }
      });
      return { taskId, targets: readable };
    } catch {
      // A file that something else has written.
      return undefined;
    }
  }
}
