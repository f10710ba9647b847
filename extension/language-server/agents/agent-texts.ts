import * as l10n from '@vscode/l10n';
import { agentSchemas, meantKind } from '../../agents/agent-schema.ts';
import { isObject } from '../../base/objects.ts';
import { once } from '../../base/once.ts';
import type { YamlNode } from '../../text/yaml-tree.ts';
import { type Descriptions, type JsonSchema, schemaOf } from '../json/json-schema.ts';
import { commonServerTexts } from '../json/schema-texts.ts';

/** What an agent's keys mean, by their paths. */
function commonTexts(): Descriptions {
  return {
    name: l10n.t('The name of the agent: lower-case letters, digits, "-" and "_". The model and rules use it.'),
    display_name: l10n.t('The name for people. Without it, they see the name.'),
  };
}

function localTexts(): Descriptions {
  return {
    ...commonTexts(),
    kind: l10n.t('`local`: Gantry runs the agent. This is the default.'),
    description: l10n.t('What the agent is for. The model chooses an agent by it.'),
    tools: l10n.t(
      'The tools that the agent may use, such as `read_file`, `mcp_docs_*` for an MCP server, or `*`. Without this key, it has the tools of the agent that starts it.',
    ),
    'tools.[]': l10n.t('A tool, or a name that ends with `*`.'),
    model: l10n.t('A model or an alias. `inherit`, the default, is the model of the conversation.'),
    temperature: l10n.t('Randomness of answers; 1 by default.'),
    max_turns: l10n.t('The maximum number of turns; 30 by default.'),
    timeout_mins: l10n.t('The maximum time in minutes; 10 by default.'),
    mcp_servers: l10n.t('MCP servers that only this agent uses, by name. They start and end with it.'),
    ...serverTexts('mcp_servers.*'),
  };
}

function serverTexts(path: string): Descriptions {
  const texts: Descriptions = {
    ...commonServerTexts(),
    http_url: l10n.t('The URL of a server over streamable HTTP.'),
    tcp: l10n.t('A key of Gemini CLI. Gantry reaches servers by a program or a URL.'),
    include_tools: l10n.t('The only tools of the server that are used, by their original names.'),
    exclude_tools: l10n.t('Tools of the server that are not used, by their original names.'),
    auth: l10n.t('How to sign in to the server.'),
    'auth.type': l10n.t('The way to sign in.'),
    ...googleTexts('auth'),
    ...oauthTexts('auth'),
  };
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [`${path}.${key}`, text]));
}

function remoteTexts(): Descriptions {
  return {
    ...commonTexts(),
    kind: l10n.t('`remote`: another service runs the agent.'),
    description: l10n.t("What the agent is for. The model chooses an agent by it, and by the card's description."),
    agent_card_url: l10n.t("The address of the agent's card, which says how to reach it."),
    agent_card_json: l10n.t("The agent's card as JSON, instead of its address."),
    auth: l10n.t('How to sign in. Values may be `$VARIABLE` or `!command`.'),
    'auth.type': l10n.t('The way to sign in.'),
    'auth.key': l10n.t('The key. It is sent as a header.'),
    'auth.name': l10n.t('The name of the header; X-API-Key by default.'),
    'auth.scheme': l10n.t('The scheme of the `Authorization` header, such as `Bearer` or `Basic`.'),
    'auth.token': l10n.t('The token of the scheme `Bearer`.'),
    'auth.username': l10n.t('The name of the user, for the scheme `Basic`.'),
    'auth.password': l10n.t('The password of the user, for the scheme `Basic`.'),
    'auth.value': l10n.t('Everything after the scheme, for other schemes.'),
    ...googleTexts('auth'),
    ...oauthTexts('auth'),
    'auth.audiences': l10n.t('The services that the token is for. They are sent as `audience`.'),
    'auth.redirect_uri': l10n.t(
      'Where the sign-in page returns to: an http address of this machine with a port. Without it, a free port.',
    ),
  };
}

function googleTexts(path: string): Descriptions {
  return { [`${path}.scopes`]: l10n.t('The permissions to ask for.') };
}

function oauthTexts(path: string): Descriptions {
  return {
    [`${path}.client_id`]: l10n.t('The id of a registered client. Without it, Gantry registers itself.'),
    [`${path}.client_secret`]: l10n.t('The secret of the client.'),
    [`${path}.authorization_url`]: l10n.t('The page where you sign in.'),
    [`${path}.token_url`]: l10n.t('The address that hands out tokens.'),
    [`${path}.issuer`]: l10n.t('The authorization server, if its other addresses are not given.'),
    [`${path}.registration_url`]: l10n.t('The address where clients are registered.'),
    [`${path}.audiences`]: l10n.t('A key of Gemini CLI. Gantry ignores it.'),
    [`${path}.redirect_uri`]: l10n.t('A key of Gemini CLI. Gantry uses a free port of this machine.'),
    [`${path}.token_param_name`]: l10n.t('A key of Gemini CLI. Gantry ignores it.'),
  };
}

/** The front matter of agents that Gantry runs, and of those that other services run. */
export const agentJsonSchemas = once((): { readonly local: JsonSchema; readonly remote: JsonSchema } => {
  const { local, remote } = agentSchemas();
  return { local: schemaOf(local, localTexts()), remote: schemaOf(remote, remoteTexts()) };
});

/** The schemas of the front matter, as far as it says which kind of agent it defines. A list has only remote agents. */
export function agentSchemasOf(root: YamlNode | undefined): readonly JsonSchema[] {
  const { local, remote } = agentJsonSchemas();
  if (root?.kind === 'list') return [{ type: 'array', items: remote }];
  const { kind, ...data } = isObject(root?.value) ? root.value : {};
  if (kind === 'local' || kind === 'remote') return [kind === 'local' ? local : remote];
  if (meantKind(data) === 'remote') return [remote];
  // Without a key that only one kind has, it may still become either.
  return meantKind({ ...data, agent_card_url: '' }) === 'remote' ? [local, remote] : [local];
}
