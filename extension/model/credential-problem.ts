import type { Problem } from '../protocol/problem.ts';
import { badConfiguration, KEPT, keySourceWords } from './configuration-problem.ts';
import type { Trouble } from './credentials.ts';

/** Why nothing can be sent, in words. Not with the credentials themselves: what is loaded at activation shows none of it. */
export function credentialProblem(trouble: Trouble): Problem {
  switch (trouble.type) {
    case 'no-key':
      return {
        kind: 'no-credential',
        title: 'There is no API key',
        detail: `The sign-in method is an API key, and none is stored or set as GEMINI_API_KEY. ${KEPT}; set a key, then Retry.`,
        actions: ['set-api-key', 'retry', 'open-settings'],
      };
    case 'unusable-key':
      return {
        kind: 'bad-credential',
        title: 'The API key cannot be used',
        detail: `The key from ${keySourceWords(trouble.source)} has blanks or characters that no key has, so nothing was sent. ${KEPT}; set the key again, then Retry.`,
        actions: ['set-api-key', 'retry'],
      };
    case 'signed-out':
      return notSignedIn();
    case 'insecure':
      return insecureEndpoint(trouble);
    case 'no-address': {
      const missing = 'The sign-in method is a gateway, and gantry.model.baseUrl has no address';
      return badConfiguration('The gateway has no address', missing);
    }
    case 'bad-address': {
      const what = `${trouble.source} ${trouble.wrong}`;
      return badConfiguration('The address of the endpoint is not usable', what);
    }
    case 'bad-headers': {
      const what = `gantry.auth.headers ${trouble.wrong}`;
      return badConfiguration('The headers for the gateway are not usable', what);
    }
    case 'no-project': {
      const what = 'neither gantry.auth.project nor GOOGLE_CLOUD_PROJECT names one';
      return badConfiguration('There is no project', `Vertex AI needs a project of Google Cloud, and ${what}`);
    }
    case 'bad-place': {
      const shown = trouble.value.length > 40 ? `${trouble.value.slice(0, 40)}…` : trouble.value;
      const where = `gantry.auth.${trouble.what} or GOOGLE_CLOUD_${trouble.what.toUpperCase()}`;
      return badConfiguration(`The ${trouble.what} is not usable`, `“${shown}” in ${where} is none of Google Cloud`);
    }
    case 'no-client':
      return noClientId();
    case 'token-stays': {
      const what = `${trouble.source} is not an address of Google's, and a token for your Google account goes nowhere else. For a gateway choose the sign-in method gateway, or remove the address`;
      return badConfiguration('The token was not sent to another host', what);
    }
  }
}

export function notSignedIn(): Problem {
  return {
    kind: 'no-credential',
    title: 'You are not signed in',
    detail: `The sign-in method is Google. ${KEPT}; sign in, then Retry.`,
    actions: ['sign-in', 'retry', 'open-settings'],
  };
}

export function noClientId(): Problem {
  const create = 'Create one in the Google Cloud console (type “Desktop app”) and put its id into gantry.auth.clientId';
  return badConfiguration(
    'Signing in with Google needs a client id',
    `Gantry brings no OAuth client of its own. ${create}`,
  );
}

function insecureEndpoint({ source, hasKey }: Extract<Trouble, { type: 'insecure' }>): Problem {
  const what = hasKey ? 'key' : 'headers';
  return {
    kind: 'bad-configuration',
    title: `The ${hasKey ? 'API key was' : 'headers were'} not sent over plain http`,
    detail: `${source} names another machine without https, where anyone on the way could read the ${what}. ${KEPT}; use https or remove the ${what}, then Retry.`,
    actions: ['open-settings', ...(hasKey ? (['set-api-key'] as const) : []), 'retry'],
  };
}
