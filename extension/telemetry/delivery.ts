import { isObject } from '../base/objects.ts';
import type { HttpResponse, SendHttp } from '../model/http/send-http.ts';
import { connectionWords, networkCode } from '../model/network-error.ts';
import type { Alarm } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';

/** A receiver that takes longer counts as one that does not answer. */
const EXPORT_MS = 10_000;
/** A receiver answers with a few bytes. */
const MOST_ANSWER_BYTES = 64 * 1024;

export interface DeliveryParts {
  readonly send: SendHttp;
  readonly headers: Readonly<Record<string, string>>;
  /** Host and port, for the log. */
  readonly place: string;
  readonly log: Logger;
  readonly alarm: Alarm;
}

/** Sends batches, once each. What is not accepted is counted and dropped. */
export class OtlpDelivery {
  sent = 0;
  dropped = 0;
  private readonly ending = new AbortController();
  private isFailing = false;

  constructor(private readonly parts: DeliveryParts) {}

  /** Sends a body with this many items. Never rejects. */
  async deliver(url: string, body: Uint8Array, items: number): Promise<void> {
    const timeout = new AbortController();
    const prevent = this.parts.alarm(EXPORT_MS, () => timeout.abort());
    const signal = AbortSignal.any([this.ending.signal, timeout.signal]);
    try {
      const refused = Math.min(items, await this.post(url, body, signal));
      this.sent += items - refused;
      this.drop(refused);
      if (refused === 0) this.succeeded();
      else this.failed('It refused a part');
    } catch (error) {
      this.drop(items);
      this.failed(signal.aborted ? 'It did not answer in time' : reasonOf(error));
    } finally {
      prevent();
    }
  }

  /** Counts items that are not sent. */
  drop(items: number): void {
    this.dropped += items;
  }

  /** Cuts off everything that is being sent. */
  abort(): void {
    this.ending.abort();
  }

  /** Returns the number of refused items. Rejects if the body was not accepted. */
  private async post(url: string, body: Uint8Array, signal: AbortSignal): Promise<number> {
    const headers = { ...this.parts.headers, 'content-type': 'application/json' };
    const response = await this.parts.send({ url, method: 'POST', headers, body: [body] }, signal);
    try {
      const { status } = response;
      if (status < 200 || status > 299) throw new NotAccepted(`HTTP ${status}`);
      return refusedIn(await readAnswer(response));
    } finally {
      await response.close();
    }
  }

  /** One line, however long it lasts. */
  private failed(reason: string): void {
    if (this.isFailing) return;
    this.isFailing = true;
    const { log, place } = this.parts;
    log.warn(`Telemetry is not accepted by ${place}: ${reason}. It is counted and dropped; nothing else changes.`);
  }

  private succeeded(): void {
    if (!this.isFailing) return;
    this.isFailing = false;
    this.parts.log.info(`Telemetry is accepted by ${this.parts.place} again. ${this.dropped} items were dropped.`);
  }
}

/** The receiver answered, but not as a receiver of OTLP. */
class NotAccepted extends Error {}

function reasonOf(error: unknown): string {
  return error instanceof NotAccepted ? error.message : connectionWords(networkCode(error));
}

async function readAnswer(response: HttpResponse): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (let bytes = await response.read(); bytes; bytes = await response.read()) {
    size += bytes.length;
    if (size > MOST_ANSWER_BYTES) throw new NotAccepted('Its answer is too long');
    pieces.push(bytes);
  }
  return Buffer.concat(pieces).toString();
}

/** https://opentelemetry.io/docs/specs/otlp/#partial-success-1. Some receivers answer with nothing. */
function refusedIn(answer: string): number {
  if (answer.trim() === '') return 0;
  let value: unknown;
  try {
    value = JSON.parse(answer);
  } catch {
    throw new NotAccepted('Its answer is not OTLP');
  }
  if (!isObject(value)) throw new NotAccepted('Its answer is not OTLP');
  const partial = isObject(value['partialSuccess']) ? value['partialSuccess'] : {};
  const refused = Number(partial['rejectedSpans'] ?? partial['rejectedDataPoints'] ?? 0);
  return Number.isSafeInteger(refused) && refused > 0 ? refused : 0;
}
