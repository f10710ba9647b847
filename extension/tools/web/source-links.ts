import { LruMap } from '../../base/lru-map.ts';
import type { PinnedFetch } from './pinned-fetch.ts';
import { hostProblem, parseWebUrl } from './web-url.ts';

/** Search answers link to their sources through this host. Its links hide the target and expire after a while. */
const REDIRECT_HOST = 'vertexaisearch.cloud.google.com';
const REDIRECT_PATH = '/grounding-api-redirect/';

export interface LinkLimits {
  readonly atOnce: number;
  readonly eachMs: number;
  readonly allMs: number;
}

const LIMITS: LinkLimits = { atOnce: 10, eachMs: 3000, allMs: 5000 };
const MAX_KNOWN = 500;

/** Resolves the links of search answers without visiting the targets: the redirect is read but not followed. */
export class SourceLinks {
  private readonly known = new LruMap<string>(MAX_KNOWN);

  constructor(
    private readonly fetch: PinnedFetch,
    private readonly limits: LinkLimits = LIMITS,
  ) {}

  /** The real URLs in the same order. Undefined where there is none or it wasn't resolved in time. */
  async resolve(uris: readonly (string | undefined)[], signal: AbortSignal): Promise<readonly (string | undefined)[]> {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(this.limits.allMs)]);
    const waiting = uris.entries();
    const targets: (string | undefined)[] = uris.map(() => undefined);
    const work = async (): Promise<void> => {
      // All workers share one iterator, so each takes the next link.
      for (const [index, uri] of waiting) targets[index] = await this.targetOf(uri, deadline);
    };
    await Promise.all(Array.from({ length: this.limits.atOnce }, work));
    return targets;
  }

  private async targetOf(uri: string | undefined, deadline: AbortSignal): Promise<string | undefined> {
    const parsed = parseWebUrl(uri ?? '');
    if ('problem' in parsed || hostProblem(parsed.url) !== undefined) return undefined;
    const { url } = parsed;
    if (url.hostname !== REDIRECT_HOST || !url.pathname.startsWith(REDIRECT_PATH)) return url.href;
    const known = this.known.get(url.href);
    if (known !== undefined || deadline.aborted) return known;
    const signal = AbortSignal.any([deadline, AbortSignal.timeout(this.limits.eachMs)]);
    const outcome = await this.fetch(url, { signal, method: 'HEAD' });
    if (outcome.kind !== 'redirect') return undefined;
    this.known.set(url.href, outcome.location.href);
    return outcome.location.href;
  }
}
