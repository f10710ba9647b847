import type { Problem } from '../protocol/problem.ts';
import type { BaseUrlSource, KeySource } from './credentials.ts';

/** Found before anything was sent, when the message is already in the conversation. */
const KEPT = 'Your message is kept';

export function badConfiguration(title: string, what: string): Problem {
  return {
    kind: 'bad-configuration',
    title,
    detail: `${what}. ${KEPT}; correct it, then Retry.`,
    actions: ['open-settings', 'retry'],
  };
}

export function noApiKey(): Problem {
  return {
    kind: 'no-credential',
    title: 'There is no API key',
    detail: `The sign-in method is an API key, and none is stored or set as GEMINI_API_KEY. ${KEPT}; set a key, then Retry.`,
    actions: ['set-api-key', 'retry', 'open-settings'],
  };
}

export function noProject(): Problem {
  const what =
    'Vertex AI needs a project of Google Cloud, and neither gantry.auth.project nor GOOGLE_CLOUD_PROJECT names one';
  return badConfiguration('There is no project', what);
}

export function noClientId(): Problem {
  const what =
    'Gantry brings no OAuth client of its own. Create one in the Google Cloud console (type “Desktop app”) and put its id into gantry.auth.clientId';
  return badConfiguration('Signing in with Google needs a client id', what);
}

export function notSignedIn(): Problem {
  return {
    kind: 'no-credential',
    title: 'You are not signed in',
    detail: `The sign-in method is Google. ${KEPT}; sign in, then Retry.`,
    actions: ['sign-in', 'retry', 'open-settings'],
  };
}

export function tokenStays(source: BaseUrlSource): Problem {
  const what = `${source} is not an address of Google's, and a token for your Google account goes nowhere else. For a gateway choose the sign-in method gateway, or remove the address`;
  return badConfiguration('The token was not sent to another host', what);
}

export function unusableKey(source: KeySource): Problem {
  return {
    kind: 'bad-credential',
    title: 'The API key cannot be used',
    detail: `The key from ${keySourceWords(source)} has blanks or characters that no key has, so nothing was sent. ${KEPT}; set the key again, then Retry.`,
    actions: ['set-api-key', 'retry'],
  };
}

export function insecureEndpoint(source: BaseUrlSource, hasKey: boolean): Problem {
  const what = hasKey ? 'key' : 'headers';
  return {
    kind: 'bad-configuration',
    title: `The ${hasKey ? 'API key was' : 'headers were'} not sent over plain http`,
    detail: `${source} names another machine without https, where anyone on the way could read the ${what}. ${KEPT}; use https or remove the ${what}, then Retry.`,
    actions: ['open-settings', ...(hasKey ? (['set-api-key'] as const) : []), 'retry'],
  };
}

export function keySourceWords(source: KeySource): string {
  return source === 'secret storage' ? "VS Code's secret storage" : source;
}
