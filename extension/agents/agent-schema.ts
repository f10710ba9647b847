import * as z from 'zod';
import { once } from '../base/once.ts';
import { isToolName } from './agent-tools.ts';

/** The front matter of agents with Gemini CLI's keys: those that Gantry runs itself, and those that another service runs. */
export const agentSchemas = once(() => {
  const name = z.string().regex(/^[a-z0-9_-]+$/, 'only lower-case letters, digits, "-" and "_" make a name');
  const texts = z.array(z.string());
  const named = z.record(z.string(), z.string());

  const googleAuth = z.object({ type: z.literal('google-credentials'), scopes: texts.optional() });
  const oauth = z.object({
    type: z.literal('oauth'),
    client_id: z.string().optional(),
    client_secret: z.string().optional(),
    scopes: texts.optional(),
    authorization_url: z.url().optional(),
    token_url: z.url().optional(),
    issuer: z.url().optional(),
    audiences: texts.optional(),
    redirect_uri: z.url().optional(),
    token_param_name: z.string().optional(),
    registration_url: z.url().optional(),
  });
  const apiKey = z.object({ type: z.literal('apiKey'), key: z.string().min(1), name: z.string().optional() });
  const http = z.object({
    type: z.literal('http'),
    scheme: z.string().min(1),
    token: z.string().min(1).optional(),
    username: z.string().min(1).optional(),
    password: z.string().min(1).optional(),
    value: z.string().min(1).optional(),
  });

  const server = z.object({
    command: z.string().optional(),
    args: texts.optional(),
    env: named.optional(),
    cwd: z.string().optional(),
    url: z.string().optional(),
    http_url: z.string().optional(),
    headers: named.optional(),
    tcp: z.string().optional(),
    type: z.enum(['sse', 'http']).optional(),
    timeout: z.number().optional(),
    trust: z.boolean().optional(),
    description: z.string().optional(),
    include_tools: texts.optional(),
    exclude_tools: texts.optional(),
    auth: z.discriminatedUnion('type', [googleAuth, oauth]).optional(),
  });

  const local = z.strictObject({
    kind: z.literal('local').optional(),
    name,
    description: z.string().min(1),
    display_name: z.string().optional(),
    tools: z.array(z.string().refine(isToolName, { error: 'there is no such tool' })).optional(),
    mcp_servers: z.record(z.string(), server).optional(),
    model: z.string().optional(),
    temperature: z.number().optional(),
    max_turns: z.int().positive().optional(),
    timeout_mins: z.int().positive().optional(),
  });

  const remoteAuth = z.discriminatedUnion('type', [apiKey, http, googleAuth, oauth]);

  const remote = z
    .strictObject({
      kind: z.literal('remote').optional(),
      name,
      description: z.string().optional(),
      display_name: z.string().optional(),
      agent_card_url: z.url().optional(),
      agent_card_json: z.string().refine(isJson, { error: 'it is not JSON' }).optional(),
      auth: remoteAuth.optional(),
    })
    .superRefine(({ agent_card_url, agent_card_json, auth }, { addIssue }) => {
      if ((agent_card_url === undefined) === (agent_card_json === undefined)) {
        const message = 'exactly one of agent_card_url and agent_card_json says who the agent is';
        addIssue({ code: 'custom', path: ['agent_card_url'], message });
      }
      if (auth?.type !== 'http') return;
      for (const key of missingOf(auth)) {
        addIssue({ code: 'custom', path: ['auth', key], message: `the scheme "${auth.scheme}" needs it` });
      }
    });
  return { local, remote };
});

/** Why this can't be the name of an agent, as a clause. */
export function agentNameFault(name: string): string | undefined {
  return agentSchemas().local.shape.name.safeParse(name).error?.issues[0]?.message;
}

export type LocalFrontMatter = z.infer<ReturnType<typeof agentSchemas>['local']>;
export type RemoteFrontMatter = z.infer<ReturnType<typeof agentSchemas>['remote']>;

/** An MCP server that only one agent uses. */
export type AgentServer = NonNullable<LocalFrontMatter['mcp_servers']>[string];

/** Converts Gemini CLI's keys in front matter to those in settings. */
export function serverSettings(server: AgentServer): Record<string, unknown> {
  const { http_url, include_tools, exclude_tools, auth, ...same } = server;
  return {
    ...same,
    ...(http_url !== undefined && { httpUrl: http_url }),
    ...(include_tools && { includeTools: include_tools }),
    ...(exclude_tools && { excludeTools: exclude_tools }),
    ...(auth?.type === 'oauth' && {
      oauth: { clientId: auth.client_id, clientSecret: auth.client_secret, scopes: auth.scopes },
    }),
    // Such a server is ignored, and this is given as the reason.
    ...(auth?.type === 'google-credentials' && { authProviderType: auth.type }),
  };
}

export type RemoteAuth = NonNullable<RemoteFrontMatter['auth']>;

interface HttpAuth extends Partial<Record<'token' | 'username' | 'password' | 'value', string | undefined>> {
  readonly scheme: string;
}

/** The missing fields. A complete `value` makes the others unnecessary. */
function missingOf({ scheme, token, username, password, value }: HttpAuth): string[] {
  if (value !== undefined) return [];
  if (scheme === 'Bearer') return token === undefined ? ['token'] : [];
  if (scheme !== 'Basic') return ['value'];
  return Object.entries({ username, password }).flatMap(([key, given]) => (given === undefined ? key : []));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const LOCAL_KEYS = ['tools', 'mcp_servers', 'model', 'temperature', 'max_turns', 'timeout_mins'];
const REMOTE_KEYS = ['agent_card_url', 'agent_card_json', 'auth'];

/** The kind of an agent. If the definition doesn't specify it, the other keys decide. */
export function meantKind(data: Readonly<Record<string, unknown>>): 'local' | 'remote' {
  if (data['kind'] !== undefined) return data['kind'] === 'remote' ? 'remote' : 'local';
  const has = (keys: readonly string[]): boolean => keys.some((key) => Object.hasOwn(data, key));
  return has(REMOTE_KEYS) && !has(LOCAL_KEYS) ? 'remote' : 'local';
}
