import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { AgentCard } from '@a2a-js/sdk';
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { isObject } from '../base/objects.ts';
import { removeFile, replaceFile } from '../files/durable-files.ts';
import { errorCode } from '../files/error-code.ts';
import { a2aPushFolder, a2aServerFile } from '../gemini-config/home-folders.ts';
import { sendWithFetch } from '../model/http/send-http.ts';
import { realAlarm } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Problem } from '../protocol/agent/problem.ts';
import type { AgentService } from '../runtime/agent-service.ts';
import { agentCard } from './agent-card.ts';
import { callContext } from './call-facts.ts';
import { HttpServer } from './http-server.ts';
import { OpenSessions, type SessionWindow } from './open-sessions.ts';
import { PushNotifications } from './push-notifications.ts';
import { PushSender } from './push-sender.ts';
import { PushStore } from './push-store.ts';
import { PushPrefix } from './push-target.ts';
import { SessionRequestHandler } from './request-handler.ts';
import { Rpc } from './rpc.ts';
import { Tasks } from './tasks.ts';

export interface A2aOptions {
  readonly version: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** Says where Gantry keeps its files. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly service: AgentService;
  /** The folder whose sessions are served. */
  readonly workspace: string;
  /** Whether clients may allow calls. Otherwise only people at another surface do. */
  readonly approves: boolean;
  /** Where push notifications may go. Without it, none are sent. */
  readonly push?: string | undefined;
  /** The text of a problem, for people. */
  readonly textOf: (problem: Problem) => string;
  readonly log: Logger;
  /** How long a session that nobody uses stays open. */
  readonly idleMs?: number;
  /** The window of VS Code that shows the same sessions. */
  readonly window?: SessionWindow;
}

export interface A2aServer {
  readonly url: string;
  /** Whoever knows it may use the server. */
  readonly token: string;
  /** Has the token, and only this user may read it. */
  readonly tokenFile: string;
  /** Whether a request is being answered, or a push notification is on its way. */
  readonly isBusy: boolean;
  /** Also removes the file with the token. */
  close(): Promise<void>;
}

/** The port if nobody wants another one. */
export const USUAL_PORT = 41242;

/** Whether another program has the port, or the system keeps it for itself. */
export function isPortTaken(error: unknown): boolean {
  return errorCode(error) === 'EADDRINUSE' || errorCode(error) === 'EACCES';
}

/** Serves the sessions of a folder over A2A, with a new token. Rejects if the port is taken. */
export async function serveA2a(options: A2aOptions): Promise<A2aServer> {
  const { version, port, environment, service, workspace, approves, textOf, log, idleMs, window } = options;
  const token = randomBytes(32).toString('base64url');
  const server = new HttpServer({ port, token, log });
  const listening = await server.listen();
  const url = `http://127.0.0.1:${listening}/`;
  const tokenFile = a2aServerFile(environment, homedir(), listening, 'token');
  await replaceFile(tokenFile, token).catch(async (error: unknown) => {
    await server.close();
    throw error;
  });
  const sessions = new OpenSessions({
    service,
    log,
    ...(idleMs !== undefined && { idleMs }),
    ...(window && { window }),
    watch: (session) => push?.watch(session) ?? (() => undefined),
  });
  const card = agentCard(url, version, options.push !== undefined);
  const tasks = new Tasks({ service, sessions, workspace, approves });
  const push = options.push === undefined ? undefined : pushNotifications(options.push, tasks, options);
  const catchUp = await push?.restore();
  const parts = { card, tasks, push, textOf };
  server.serve({
    rpc: new Rpc(new SessionRequestHandler(parts)),
    card: (wanted) => cardFor(card, new CardRequestHandler(parts), wanted),
    health: () => ({ name: 'gantry', version, pid: process.pid, workspace }),
  });
  void catchUp?.();
  return {
    url,
    token,
    tokenFile,
    get isBusy() {
      return server.requests > 0 || push?.isSending === true;
    },
    close: async () => {
      await server.close();
      push?.dispose();
      await removeFile(tokenFile);
      sessions.dispose();
    },
  };
}

function pushNotifications(
  given: string,
  tasks: Tasks,
  { environment, workspace, log }: Pick<A2aOptions, 'environment' | 'workspace' | 'log'>,
): PushNotifications {
  const prefix = new PushPrefix(given);
  const folder = a2aPushFolder(environment, homedir());
  const store = new PushStore({ folder, workspace, prefix, log });
  const sender = new PushSender({ send: sendWithFetch, alarm: realAlarm, log });
  return new PushNotifications({ prefix, tasks, store, sender, log });
}

/** The card in the format of version 1.0 or 0.3. Both list all interfaces. */
async function cardFor(card: AgentCard, handler: CardRequestHandler, version = '0.3'): Promise<object> {
  const now = AgentCard.toJSON(card) as Readonly<Record<string, unknown>>;
  if (!version.startsWith('0.')) return now;
  const legacy = new LegacyJsonRpcTransportHandler(handler);
  const request = { jsonrpc: '2.0', id: 1, method: 'agent/getAuthenticatedExtendedCard' };
  const facts = {
    signal: new AbortController().signal,
    lastEventId: undefined,
    extensions: new Set<string>(),
    reached: () => undefined,
  };
  const answer: unknown = await legacy.handle(request, callContext(facts, '0.3'));
  const earlier = isObject(answer) && isObject(answer['result']) ? answer['result'] : {};
  return { ...earlier, supportedInterfaces: now['supportedInterfaces'] };
}

/** The SDK translates a card only as the answer to the request for the other one, which this server does not have. */
class CardRequestHandler extends SessionRequestHandler {
  override getAuthenticatedExtendedAgentCard(): Promise<AgentCard> {
    return this.getAgentCard();
  }
}
