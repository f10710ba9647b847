import * as z from 'zod';
import { once } from '../../base/once.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LoginStore } from '../../ports/host.ts';
import { ProblemError } from '../../protocol/agent/problem.ts';
import { parseJson } from '../json.ts';
import { tokenProblem } from './auth-problem.ts';
import { notSignedIn } from './credential-problem.ts';
import { type IssuedTokens, refreshTokens } from './oauth.ts';
import type { OAuthClient } from './oauth-page.ts';
import type { AccessToken, TokenOrigin } from './token-source.ts';

const loginSchema = once(() =>
  z.object({
    refreshToken: z.string().min(1),
    accessToken: z.string().min(1),
    expiresAt: z.number(),
    /** The client that requested the tokens, and its token endpoint. The tokens are sent nowhere else. */
    clientId: z.string(),
    tokenUrl: z.string(),
    /** The email address of the signed-in user, for display. */
    account: z.string().optional(),
  }),
);

export type Login = z.infer<ReturnType<typeof loginSchema>>;

/** Parses a stored login; undefined for any other text. */
export function parseLogin(text: string | undefined): Login | undefined {
  return text === undefined ? undefined : loginSchema().safeParse(parseJson(text)).data;
}

/** Returns undefined if the endpoint sent no refresh token. */
export function loginOf(client: OAuthClient, issued: IssuedTokens): Login | undefined {
  const { accessToken, expiresAt, refreshToken, idToken } = issued;
  if (refreshToken === undefined) return undefined;
  const account = claimsOf(idToken)?.email;
  const { clientId, tokenUrl } = client;
  return { refreshToken, accessToken, expiresAt, clientId, tokenUrl, ...(account && { account }) };
}

const claimsSchema = once(() =>
  z.looseObject({
    aud: z.union([z.string(), z.array(z.string())]),
    email: z.string().optional(),
  }),
);

/** The token is not verified, because it came from the token endpoint itself and grants nothing. */
export function claimsOf(idToken: string | undefined): z.infer<ReturnType<typeof claimsSchema>> | undefined {
  const payload = Buffer.from(idToken?.split('.')[1] ?? '', 'base64url').toString();
  return claimsSchema().safeParse(parseJson(payload)).data;
}

/** The tokens of the signed-in user. They are in the secret storage, so that all windows share them. */
export function loginTokens(store: LoginStore, client: OAuthClient, clock: Clock): TokenOrigin {
  const read = async (): Promise<{ readonly text: string; readonly login: Login } | undefined> => {
    const text = await store.read();
    const login = parseLogin(text);
    const isOurs = login?.clientId === client.clientId && login.tokenUrl === client.tokenUrl;
    return text !== undefined && login && isOurs ? { text, login } : undefined;
  };
  return {
    async kept(): Promise<AccessToken | undefined> {
      const stored = await read();
      return stored && accessToken(stored.login);
    },
    async obtain(): Promise<AccessToken> {
      const stored = await read();
      if (!stored) throw new ProblemError(notSignedIn());
      const issued = await refreshTokens(client, stored.login.refreshToken, clock).catch((error: unknown) => {
        throw tokenProblem(error, 'login');
      });
      const login = { ...stored.login, ...withoutIdToken(issued) };
      await store.replace(stored.text, JSON.stringify(login));
      return accessToken(login);
    },
  };
}

function withoutIdToken({ idToken: _, ...tokens }: IssuedTokens): Omit<IssuedTokens, 'idToken'> {
  return tokens;
}

function accessToken({ accessToken: value, expiresAt }: Login): AccessToken {
  return { value, expiresAt };
}
