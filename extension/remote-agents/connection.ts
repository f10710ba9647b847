import { AgentCard, type Message, Role, type SendMessageRequest, type StreamResponse } from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import type { RemoteAgent } from '../agents/agent-definition.ts';
import { errorText } from '../base/errors.ts';
import type { CardSignIn } from './agent-logins.ts';
import { type FoundCard, findCard } from './card.ts';
import { type FetchGuards, guardedFetch } from './guarded-fetch.ts';
import type { CardFacts, OutgoingMessage, RemoteConnection } from './remote-connection.ts';
import { RemoteFailure } from './remote-failure.ts';
import { messageUpdate, sdkPart, taskUpdate, updateOf } from './sdk-updates.ts';
import { isOver, type TaskUpdate } from './task-update.ts';

const BINDINGS: ReadonlySet<string> = new Set(['JSONRPC', 'HTTP+JSON']);

/** Reads the card of an agent. Nothing is sent to the agent itself. */
export async function connectTo(
  agent: Pick<RemoteAgent, 'card'>,
  guards: FetchGuards,
  signal: AbortSignal,
): Promise<RemoteConnection> {
  const fetchImpl = guardedFetch(guards);
  const found = await findCard(agent.card, fetchImpl, signal);
  const card = usable(found);
  const options = { fetchImpl, legacyCompat: { enabled: true } };
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory(options), new RestTransportFactory(options)],
  });
  const client = await factory.createFromAgentCard(card);
  const [chosen] = card.supportedInterfaces;
  const provider = card.provider?.organization || undefined;
  const facts = { hash: found.hash, url: chosen?.url ?? '', provider, signIn: signInOf(card) };
  return connectionOf(client, facts, card.capabilities?.streaming ?? false);
}

const OPENID_METADATA = /\/\.well-known\/openid-configuration$/;

/** The first way to sign in that a browser can go. */
function signInOf({ securitySchemes }: AgentCard): CardSignIn | undefined {
  for (const { scheme } of Object.values(securitySchemes)) {
    if (scheme?.$case === 'oauth2SecurityScheme' && scheme.value.flows?.flow?.$case === 'authorizationCode') {
      const { authorizationUrl, tokenUrl, scopes } = scheme.value.flows.flow.value;
      return { authorization: { authorizationUrl, tokenUrl }, scopes: Object.keys(scopes) };
    }
    if (scheme?.$case === 'openIdConnectSecurityScheme')
      return { authorization: { issuer: scheme.value.openIdConnectUrl.replace(OPENID_METADATA, '') } };
  }
  return undefined;
}

function connectionOf(client: Client, card: CardFacts, streams: boolean): RemoteConnection {
  const { protocolName, protocolVersion } = client.transport;
  const look = async (id: string, signal: AbortSignal): Promise<TaskUpdate> =>
    taskUpdate(await asked(client.getTask({ tenant: '', id }, { signal }), signal));
  const heard = (stream: AsyncGenerator<StreamResponse>, signal: AbortSignal): AsyncGenerator<TaskUpdate> => {
    const all = updates(stream, signal);
    return protocolName === 'HTTP+JSON' && protocolVersion === '0.3' ? withWholeEnd(all, look, signal) : all;
  };
  return {
    card,
    streams,
    send: async function* (message, signal) {
      const request = requestOf(message, !streams);
      if (streams) return yield* heard(client.sendMessageStream(request, { signal }), signal);
      const sent = await asked(client.sendMessage(request, { signal }), signal);
      yield 'messageId' in sent ? messageUpdate(sent) : taskUpdate(sent);
    },
    follow: (id, signal) => heard(client.resubscribeTask({ tenant: '', id }, { signal }), signal),
    look,
    cancel: async (id, signal) => {
      await asked(client.cancelTask({ tenant: '', id, metadata: undefined }, { signal }), signal);
    },
  };
}

/**
 * The card in the form of the SDK, with the one interface that Gantry uses. With more, the SDK would choose, perhaps
 * another one than the user is asked about.
 */
function usable({ content }: FoundCard): AgentCard {
  const card = inOneForm(content);
  const offered = card.supportedInterfaces;
  const spoken = offered.filter(
    ({ protocolBinding, protocolVersion }) => BINDINGS.has(protocolBinding.toUpperCase()) && isSpoken(protocolVersion),
  );
  const tooOld = typeof content['protocolVersion'] === 'string' && !isSpoken(content['protocolVersion']);
  const [first] = spoken;
  if (first && !tooOld) {
    const alike = spoken.filter(({ protocolBinding }) => protocolBinding === first.protocolBinding);
    return { ...card, supportedInterfaces: [alike.find(({ protocolVersion }) => protocolVersion === '1.0') ?? first] };
  }
  const named = offered.map(
    ({ protocolBinding, protocolVersion }) => `${protocolVersion || '0.3'} over ${protocolBinding}`,
  );
  const those = [...new Set(named)].slice(0, 5).join(', ');
  throw new RemoteFailure(
    'version',
    `Its card offers A2A ${those || 'over no interface'}. Gantry speaks 1.0 and 0.3 over JSONRPC and HTTP+JSON.`,
  );
}

function inOneForm(content: FoundCard['content']): AgentCard {
  try {
    const read = new DefaultAgentCardResolver({ legacyCompat: { enabled: true } }).normalizeAgentCard(content);
    // The SDK returns a card of version 1.0 as it came, with missing fields.
    return 'supportedInterfaces' in content ? AgentCard.fromJSON(content) : read;
  } catch (error) {
    throw new RemoteFailure('card', `Its agent card is incomplete: ${errorText(error)}`, { cause: error });
  }
}

/** 0.3 and newer versions before 1.0 are alike, and so are 1.0 and later versions of 1. Without a version, it is 0.3. */
function isSpoken(version: string): boolean {
  return /^(?:|0\.(?:[3-9]|\d\d+)(?:\..*)?|1(?:\..*)?)$/.test(version.trim());
}

function requestOf({ id, parts, ids }: OutgoingMessage, returnImmediately: boolean): SendMessageRequest {
  const message: Message = {
    messageId: id,
    contextId: ids.contextId ?? '',
    taskId: ids.taskId ?? '',
    role: Role.ROLE_USER,
    parts: parts.map(sdkPart),
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
  const configuration = {
    acceptedOutputModes: ['text/plain', 'application/json', 'image/png'],
    taskPushNotificationConfig: undefined,
    returnImmediately,
  };
  return { tenant: '', message, configuration, metadata: undefined };
}

async function* updates(stream: AsyncGenerator<StreamResponse>, signal: AbortSignal): AsyncGenerator<TaskUpdate> {
  try {
    for await (const response of stream) {
      const update = updateOf(response);
      if (update) yield update;
    }
  } catch (error) {
    throw failureOf(error, signal);
  }
}

/**
 * Over HTTP+JSON of version 0.3, the SDK 1.3.0 loses whether a piece of an artifact is appended. The task itself is
 * whole, so it is asked for before the end is reported.
 */
async function* withWholeEnd(
  all: AsyncGenerator<TaskUpdate>,
  look: RemoteConnection['look'],
  signal: AbortSignal,
): AsyncGenerator<TaskUpdate> {
  for await (const update of all) {
    if (update.kind === 'artifact') yield { ...update, append: undefined };
    else yield update.kind === 'status' && isOver(update.status.state) ? await look(update.ids.taskId, signal) : update;
  }
}

async function asked<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw failureOf(error, signal);
  }
}

const MAX_MESSAGE = 1000;

/** Classifies the errors of the SDK. Its message for an HTTP error contains the answer's body. */
function failureOf(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof RemoteFailure || signal.aborted) return error;
  const text = errorText(error).slice(0, MAX_MESSAGE);
  const name = error instanceof Error ? error.name : '';
  if (name === 'VersionNotSupportedError')
    return new RemoteFailure('version', `It refuses this version of A2A: ${text}`);
  if (/exceeded the maximum allowed size/.test(text))
    return new RemoteFailure('too-large', 'It sent an event that is too large.');
  if (error instanceof SyntaxError || /Failed to parse|Content-Type|ID mismatch|missing 'result'|Invalid/.test(text))
    return new RemoteFailure('not-a2a', `It answered with something that is not A2A: ${text}`, { cause: error });
  return new RemoteFailure('error', `It answered with an error: ${text}`, { cause: error });
}
