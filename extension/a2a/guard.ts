import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Why a request is refused, as the status of its response. */
export type RefusedStatus = 401 | 403;

/**
 * Refuses what another site, another machine or another user of this machine may have sent. Checked before anything of
 * the body is read: first the host, against names that were rebound to this address, then the origin, then the token.
 */
export class Guard {
  private readonly hosts: ReadonlySet<string>;
  private readonly digest: Buffer;

  constructor(port: number, token: string) {
    this.hosts = new Set(['127.0.0.1', 'localhost'].map((name) => `${name}:${port}`));
    this.digest = digestOf(token);
  }

  /** These checks apply to requests without a token, too. */
  refusesPlace({ host = '', origin }: IncomingHttpHeaders): RefusedStatus | undefined {
    if (!this.hosts.has(host.toLowerCase())) return 403;
    const isForeign = origin !== undefined && ![...this.hosts].some((own) => origin.toLowerCase() === `http://${own}`);
    return isForeign ? 403 : undefined;
  }

  refuses(headers: IncomingHttpHeaders): RefusedStatus | undefined {
    return this.refusesPlace(headers) ?? (this.knows(headers.authorization) ? undefined : 401);
  }

  /** Takes the same time for every token, so that nobody can guess it piece by piece. */
  private knows(authorization = ''): boolean {
    const [, token = ''] = /^Bearer +(\S+) *$/i.exec(authorization) ?? [];
    return timingSafeEqual(digestOf(token), this.digest);
  }
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
