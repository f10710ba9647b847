import { LruMap } from '../../base/lru-map.ts';

const PER_MINUTE = 10;
const WINDOW_MS = 60_000;
const MAX_HOSTS = 1000;

/** Keeps an agent in a loop from hammering somebody's server: so many requests to a host in a minute, no more. */
export class RequestRate {
  private readonly times = new LruMap<readonly number[]>(MAX_HOSTS);

  constructor(private readonly now: () => number = Date.now) {}

  /** Counts one request. When there were too many, in how many seconds the next one may be made. */
  take(host: string): number | undefined {
    const now = this.now();
    const recent = (this.times.get(host) ?? []).filter((time) => time > now - WINDOW_MS);
    const [oldest = now] = recent;
    if (recent.length >= PER_MINUTE) return Math.max(1, Math.ceil((oldest + WINDOW_MS - now) / 1000));
    this.times.set(host, [...recent, now]);
    return undefined;
  }
}
