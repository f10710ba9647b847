import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setImmediate } from 'node:timers/promises';

export interface CommandNeeds {
  /** Whether commands may run at all. */
  readonly isTrusted: () => boolean;
  /** Load what commands need, in the order in which they need it. The command itself reports failures. */
  readonly parts: readonly (() => Promise<unknown>)[];
}

/** The channel on which `fetch` reports that a request was written. */
const BODY_SENT = 'undici:request:bodySent';

/**
 * Loads what commands need while the model answers the first request, because the first command would have to wait for
 * it. Before the request is sent, loading would only delay it.
 */
export class FirstCommand {
  private isPrepared = false;

  /** Must be called just before a request. Only the first call counts. */
  prepare({ isTrusted, parts }: CommandNeeds): void {
    if (this.isPrepared || !isTrusted()) return;
    this.isPrepared = true;
    const sent = (): void => {
      unsubscribe(BODY_SENT, sent);
      void load(parts);
    };
    subscribe(BODY_SENT, sent);
  }
}

async function load(parts: CommandNeeds['parts']): Promise<void> {
  for (const part of parts) {
    // One at a time, so that an answer is not kept waiting for all of them.
    await setImmediate();
    part().catch(() => undefined);
  }
}
