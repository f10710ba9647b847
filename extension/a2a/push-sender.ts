import { StreamResponse, type Task, type TaskPushNotificationConfig } from '@a2a-js/sdk';
import { V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server';
import type { HttpRequest, SendHttp } from '../model/http/send-http.ts';
import { connectionWords, networkCode } from '../model/network-error.ts';
import type { Alarm } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { pushHeaders } from './push-target.ts';

/** A receiver that takes longer counts as one that does not answer. The specification suggests 10 to 30 s. */
const ANSWER_MS = 10_000;
/** Before each further attempt. */
const AGAIN_MS = [1_000, 4_000, 16_000];
/** Receivers limit what they read, often to 1 MB. They can get the whole task. */
const MOST_BYTES = 1024 * 1024;

/** A receiver, and the version of A2A in which it was named. */
export interface PushTarget {
  readonly config: TaskPushNotificationConfig;
  readonly version: string;
}

export interface PushSenderParts {
  readonly send: SendHttp;
  readonly alarm: Alarm;
  readonly log: Logger;
}

/** Sends tasks to the receivers that clients have named. */
export class PushSender {
  /** Notifications that no receiver has taken. */
  failed = 0;
  private isFailing = false;
  private readonly ending = new AbortController();

  constructor(private readonly parts: PushSenderParts) {}

  get signal(): AbortSignal {
    return this.ending.signal;
  }

  /** Resolves when the receiver has taken the task, or nothing more is tried. Never rejects. */
  async deliver({ config, version }: PushTarget, task: Task, stopped: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([this.ending.signal, stopped]);
    const { body, contentType } = bodyOf(task, version);
    const headers = { ...pushHeaders(config), 'content-type': contentType };
    const request = { url: config.url, method: 'POST', headers, body };
    for (const [attempt, delay] of [0, ...AGAIN_MS].entries()) {
      if (delay > 0) await this.wait(delay, signal);
      if (signal.aborted) return;
      const fault = await this.attempt(request, signal);
      if (fault === undefined) return this.succeeded();
      if (signal.aborted) return;
      if (fault.isFinal || attempt === AGAIN_MS.length) return this.gaveUp(fault.reason);
    }
  }

  /** Cuts off everything that is being sent. */
  dispose(): void {
    this.ending.abort();
  }

  /** Why the receiver has not taken it; undefined if it has. */
  private async attempt(request: HttpRequest, signal: AbortSignal): Promise<Fault | undefined> {
    const timeout = new AbortController();
    const prevent = this.parts.alarm(ANSWER_MS, () => timeout.abort());
    try {
      const response = await this.parts.send(request, AbortSignal.any([signal, timeout.signal]));
      // What else the receiver says is not read.
      void response.close();
      return faultOf(response.status);
    } catch (error) {
      const reason = timeout.signal.aborted ? 'It did not answer in time' : connectionWords(networkCode(error));
      return { reason, isFinal: false };
    } finally {
      prevent();
    }
  }

  private wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        prevent();
        signal.removeEventListener('abort', done);
        resolve();
      };
      const prevent = this.parts.alarm(ms, done);
      signal.addEventListener('abort', done, { once: true });
      if (signal.aborted) done();
    });
  }

  /** One line, however long it lasts. It names no URL, because its query can be a secret. */
  private gaveUp(reason: string): void {
    this.failed++;
    if (this.isFailing) return;
    this.isFailing = true;
    this.parts.log.warn(`A push notification was not taken: ${reason}. Others are counted and not logged.`);
  }

  private succeeded(): void {
    if (!this.isFailing) return;
    this.isFailing = false;
    this.parts.log.info(`Push notifications are taken again. ${this.failed} were not.`);
  }
}

interface Fault {
  readonly reason: string;
  /** Whether another attempt would end in the same way. */
  readonly isFinal: boolean;
}

function faultOf(status: number): Fault | undefined {
  if (status >= 200 && status <= 299) return undefined;
  if (status >= 300 && status <= 399) return { reason: `HTTP ${status}, and no redirect is followed`, isFinal: true };
  return { reason: `HTTP ${status}`, isFinal: status < 500 && status !== 408 && status !== 429 };
}

interface PushBody {
  readonly body: string;
  readonly contentType: string;
}

function bodyOf(task: Task, version: string): PushBody {
  const whole = serialized(task, version);
  if (Buffer.byteLength(whole.body) <= MOST_BYTES) return whole;
  const state = serialized({ ...task, artifacts: [], history: [] }, version);
  if (Buffer.byteLength(state.body) <= MOST_BYTES) return state;
  const { status } = task;
  return serialized(
    { ...task, artifacts: [], history: [], status: status && { ...status, message: undefined } },
    version,
  );
}

/** In 1.0, a notification is what a stream would have sent. In 0.3, it is a task. */
function serialized(value: Task, version: string): PushBody {
  const response: StreamResponse = { payload: { $case: 'task', value } };
  if (version !== '1.0') return new V03PushNotificationSerializer().serialize(response);
  return { body: JSON.stringify(StreamResponse.toJSON(response)), contentType: 'application/a2a+json' };
}
