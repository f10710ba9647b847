import * as l10n from '@vscode/l10n';
import type { Problem } from '../../protocol/agent/problem.ts';
import { badConfiguration, kept, keySourceWords } from './configuration-problem.ts';
import type { Trouble } from './credentials.ts';

/**
 * Words the reason why nothing can be sent. This is not in `credentials.ts`, because that file is loaded at activation.
 */
export function credentialProblem(trouble: Trouble): Problem {
  switch (trouble.type) {
    case 'no-key':
      return {
        kind: 'no-credential',
        title: l10n.t('There is no API key'),
        detail: l10n.t('The sign-in method is an API key, and none is stored or set as GEMINI_API_KEY. {0}.', kept()),
        actions: ['set-api-key', 'retry', 'open-settings'],
      };
    case 'unusable-key':
      return {
        kind: 'bad-credential',
        title: l10n.t('The API key cannot be used'),
        detail: l10n.t(
          'The key from {0} has spaces or characters that are invalid in a key, so nothing was sent. {1}.',
          keySourceWords(trouble.source),
          kept(),
        ),
        actions: ['set-api-key', 'retry'],
      };
    case 'signed-out':
      return notSignedIn();
    case 'insecure':
      return insecureEndpoint(trouble);
    case 'no-address': {
      const missing = l10n.t('The sign-in method is a gateway, and gantry.model.baseUrl has no address');
      return badConfiguration(l10n.t('The gateway has no address'), missing);
    }
    case 'bad-address': {
      const what = `${trouble.source} ${trouble.wrong}`;
      return badConfiguration(l10n.t('The address of the endpoint is invalid'), what);
    }
    case 'bad-headers': {
      const what = `gantry.auth.headers ${trouble.wrong}`;
      return badConfiguration(l10n.t('The headers for the gateway are invalid'), what);
    }
    case 'no-project': {
      return badConfiguration(
        l10n.t('There is no project'),
        l10n.t(
          'Vertex AI needs a Google Cloud project, and neither gantry.auth.project nor GOOGLE_CLOUD_PROJECT names one',
        ),
      );
    }
    case 'bad-place': {
      const shown = trouble.value.length > 40 ? `${trouble.value.slice(0, 40)}…` : trouble.value;
      const where = l10n.t('{0} or {1}', `gantry.auth.${trouble.what}`, `GOOGLE_CLOUD_${trouble.what.toUpperCase()}`);
      return badConfiguration(
        trouble.what === 'project' ? l10n.t('The project is invalid') : l10n.t('The location is invalid'),
        l10n.t('"{0}" in {1} is not a valid name in Google Cloud', shown, where),
      );
    }
    case 'no-client':
      return noClientId();
    case 'token-stays': {
      const what = l10n.t(
        '{0} is not a Google address, and a token for your Google account is sent only to Google. For a gateway, choose the sign-in method gateway, or remove the address',
        trouble.source,
      );
      return badConfiguration(l10n.t('The token was not sent to another host'), what);
    }
  }
}

export function notSignedIn(): Problem {
  return {
    kind: 'no-credential',
    title: l10n.t('You are not signed in'),
    detail: l10n.t('The sign-in method is Google. {0}.', kept()),
    actions: ['sign-in', 'retry', 'open-settings'],
  };
}

export function noClientId(next?: string): Problem {
  return badConfiguration(
    l10n.t('Signing in with Google requires a client ID'),
    l10n.t(
      'Gantry does not include an OAuth client. Create one in the Google Cloud console (type "Desktop app") and enter its ID in gantry.auth.clientId',
    ),
    next,
  );
}

function insecureEndpoint({ source, hasKey }: Extract<Trouble, { type: 'insecure' }>): Problem {
  return {
    kind: 'bad-configuration',
    title: hasKey
      ? l10n.t('The API key was not sent over plain http')
      : l10n.t('The headers were not sent over plain http'),
    detail: hasKey
      ? l10n.t(
          '{0} is another machine without https, so anyone on the network could read the key. {1}. Use https, or remove the key.',
          source,
          kept(),
        )
      : l10n.t(
          '{0} is another machine without https, so anyone on the network could read the headers. {1}. Use https, or remove the headers.',
          source,
          kept(),
        ),
    actions: ['open-settings', ...(hasKey ? (['set-api-key'] as const) : []), 'retry'],
  };
}
