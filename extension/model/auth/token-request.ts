import * as z from 'zod';
import { once } from '../../base/once.ts';
import type { Clock } from '../../ports/clock.ts';
import { parseJson } from '../json.ts';
import { networkCode } from '../network-error.ts';

/** The ways in which a token request can fail, as seen on the wire. */
export type TokenFailure =
  | { readonly type: 'no-answer'; readonly code: string }
  /** `error` is OAuth's error code, such as `invalid_grant`; empty if the endpoint sent none. */
  | {
      readonly type: 'refused';
      readonly status: number;
      readonly error: string;
      readonly description: string;
      /** How far this machine's clock is ahead of the endpoint's. Present only for large differences. */
      readonly aheadMs?: number;
    }
  | { readonly type: 'unreadable'; readonly status: number };

export class TokenFailureError extends Error {
  override readonly name = 'TokenFailureError';

  constructor(
    readonly failure: TokenFailure,
    readonly host: string,
  ) {
    super(`${host}: ${words(failure)}`);
  }
}

/** Longer than any token endpoint takes. A user's request waits for the token. */
const TIMEOUT_MS = 30_000;
/** Google accepts assertions whose time is off by this much. */
const TOLERATED_MS = 5 * 60_000;
const MAX_BODY = 64 * 1024;

const refusalSchema = once(() =>
  z.looseObject({ error: z.string().catch(''), error_description: z.string().catch('') }),
);

/**
 * Sends a refresh token, a code or a signed assertion to obtain a token. It never follows a redirect, which could send
 * the secret to another host, and throws a `TokenFailureError` that contains nothing of the request.
 */
export async function sendForToken(url: string | URL, init: RequestInit, clock: Clock): Promise<Response> {
  const { host } = new URL(url);
  let response: Response;
  try {
    const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(init.signal ? [init.signal] : [])]);
    response = await fetch(url, { ...init, redirect: 'manual', signal });
  } catch (error) {
    if (init.signal?.aborted) throw init.signal.reason;
    throw new TokenFailureError({ type: 'no-answer', code: networkCode(error) }, host);
  }
  if (response.ok) return response;
  throw new TokenFailureError(await refusal(response, clock), host);
}

async function refusal(response: Response, clock: Clock): Promise<TokenFailure> {
  const { status } = response;
  const text = (await response.text().catch(() => '')).slice(0, MAX_BODY);
  const parsed = refusalSchema().safeParse(parseJson(text));
  if (!parsed.success && status < 500) return { type: 'unreadable', status };
  const { error = '', error_description: description = '' } = parsed.data ?? {};
  const aheadMs = clock.now() - Date.parse(response.headers.get('date') ?? '');
  const isFar = Math.abs(aheadMs) > TOLERATED_MS;
  return { type: 'refused', status, error, description, ...(isFar && { aheadMs }) };
}

function words(failure: TokenFailure): string {
  switch (failure.type) {
    case 'no-answer':
      return failure.code;
    case 'refused':
      return `status ${failure.status} ${failure.error}`;
    case 'unreadable':
      return `status ${failure.status}, not the answer of a token endpoint`;
  }
}
