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

export function noVertex(): Problem {
  return {
    kind: 'bad-configuration',
    title: 'Vertex AI does not work yet',
    detail: `GOOGLE_GENAI_USE_VERTEXAI asks for it, so nothing was sent elsewhere. ${KEPT}; set an API key in Gantry or choose another sign-in method, then Retry.`,
    actions: ['set-api-key', 'open-settings', 'retry'],
  };
}

export function unusableKey(source: KeySource): Problem {
  return {
    kind: 'bad-credential',
    title: 'The API key cannot be used',
    detail: `The key from ${keySourceWords(source)} has blanks or characters that no key has, so nothing was sent. ${KEPT}; set the key again, then Retry.`,
    actions: ['set-api-key', 'retry'],
  };
}

export function insecureEndpoint(source: BaseUrlSource): Problem {
  return {
    kind: 'bad-configuration',
    title: 'The API key was not sent over plain http',
    detail: `${source} names another machine without https, where anyone on the way could read the key. ${KEPT}; use https or remove the key, then Retry.`,
    actions: ['open-settings', 'set-api-key', 'retry'],
  };
}

export function keySourceWords(source: KeySource): string {
  return source === 'secret storage' ? "VS Code's secret storage" : source;
}
