import { LruMap } from '../../base/lru-map.ts';

const PER_MINUTE = 10;
const WINDOW_MS = 60_000;
const MAX_HOSTS = 1000;

/** Limits the requests per host and minute, so that an agent in a loop doesn't overload a server. */
export class RequestRate {
  private readonly times = new LruMap<readonly number[]>(MAX_HOSTS);

  constructor(private readonly now: () => number = Date.now) {}

  /** Counts one request. If there were too many, returns the seconds until the next one is allowed. */
  take(host: string): number | undefined {
    const now = this.now();
    const recent = (this.times.get(host) ?? []).filter((time) => time > now - WINDOW_MS);
    const [oldest = now] = recent;
    if (recent.length >= PER_MINUTE) return Math.max(1, Math.ceil((oldest + WINDOW_MS - now) / 1000));
    this.times.set(host, [...recent, now]);
    return undefined;
  }
}
