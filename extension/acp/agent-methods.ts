import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type {
  InitializeRequest,
  InitializeResponse,
  ListSessionsRequest,
  ListSessionsResponse,
  LoadSessionRequest,
  McpServer,
  NewSessionRequest,
  NewSessionResponse,
  PromptRequest,
  PromptResponse,
  SetSessionConfigOptionRequest,
  SetSessionConfigOptionResponse,
} from '@agentclientprotocol/sdk';
import { canonicalFolder } from '../files/real-path.ts';
import type { Host } from '../ports/host.ts';
import type { Logger } from '../ports/logger.ts';
import { isApprovalMode } from '../protocol/agent/approval-mode.ts';
import type { AgentService } from '../runtime/agent-service.ts';
import type { SessionLibrary } from '../runtime/library/session-library.ts';
import type { AcpClient } from './client.ts';
import { ClientFiles } from './client-files.ts';
import { ClientSession, type Wording } from './client-session.ts';
import { invalidParams, sessionNotFound } from './errors.ts';
import { MODE_OPTION, MODEL_OPTION } from './options.ts';

/** The runtime for one set of folders. */
export interface OpenedFolder {
  readonly service: AgentService;
  readonly host: Pick<Host, 'settings'>;
  /** Rejects with a `ProblemError` if no session can be opened, for example because no model is configured. */
  check(): Promise<void>;
}

export interface AgentParts {
  readonly version: string;
  readonly client: AcpClient;
  /** Creates the runtime for these folders, of which the first is the working directory. `owner` is who holds sessions. */
  readonly openFolder: (roots: readonly string[], owner: string) => Promise<OpenedFolder>;
  /** The stored sessions of all folders. */
  readonly library: () => Promise<SessionLibrary | undefined>;
  /** Rejects with a `ProblemError` if no model is configured. */
  readonly requireModel: () => Promise<void>;
  readonly wording: Wording;
  readonly log: Logger;
}

interface OpenedSession {
  readonly conversation: ClientSession;
  readonly service: AgentService;
}

/** Enough for the lists of editors, and a small message. */
const PAGE = 100;

/** The only way to sign in: an editor starts Gantry with the environment that its settings say. */
const AUTH_METHOD = {
  id: 'environment',
  name: 'API key or Google Cloud, from the environment',
  description:
    'Set GEMINI_API_KEY in the "env" of this agent in your editor\'s settings, or set up Vertex AI or a gateway, and restart the agent.',
};

type SessionSetup = Pick<LoadSessionRequest, 'cwd' | 'additionalDirectories' | 'mcpServers'>;
type Setup = ClientSession['setup'];

/** The methods of an agent in ACP, without their transport. */
export class AgentMethods {
  private readonly folders = new Map<string, Promise<OpenedFolder>>();
  private readonly sessions = new Map<string, OpenedSession>();

  constructor(private readonly parts: AgentParts) {}

  initialize(request: InitializeRequest): InitializeResponse {
    this.parts.client.introduce(request);
    return {
      // The only version. A client that does not speak it closes the connection.
      protocolVersion: 1,
      agentInfo: { name: 'gantry', title: 'Gantry', version: this.parts.version },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: false, embeddedContext: true },
        mcpCapabilities: { http: true, sse: true },
        sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {}, additionalDirectories: {} },
      },
      authMethods: [AUTH_METHOD],
    };
  }

  async authenticate(methodId: string): Promise<void> {
    if (methodId !== AUTH_METHOD.id) throw invalidParams(`There is no way to sign in that is called "${methodId}".`);
    await this.parts.requireModel();
  }

  async create(request: NewSessionRequest): Promise<NewSessionResponse> {
    const roots = await rootsOf(request);
    const folder = await this.folder(roots);
    const { service } = folder;
    let id = '';
    const options = this.optionsOf(request, roots, () => id);
    const session = await service.createSession(options);
    id = session.id;
    const conversation = this.follow(id, session, folder, roots);
    return { sessionId: id, ...conversation.setup };
  }

  /** Opens a stored session. `isShown`: sends the conversation so far before this resolves. */
  async open(id: string, request: SessionSetup, isShown: boolean): Promise<Setup> {
    const roots = await rootsOf(request);
    const folder = await this.folder(roots);
    const { service } = folder;
    const stored = (await service.library?.list())?.find((session) => session.id === id);
    if (!stored && !service.isOpen(id)) throw sessionNotFound(id);
    const [cwd = ''] = roots;
    if (stored && stored.problem === undefined && stored.workspace !== cwd) {
      throw invalidParams(`The session belongs to ${stored.workspace || 'no folder'}, not to ${cwd}.`);
    }
    await this.release(id);
    const session = await service.resumeSession(
      id,
      this.optionsOf(request, roots, () => id),
    );
    const holder = service.holderOf(id);
    if (holder !== undefined) {
      await service.closeSession(id);
      throw invalidParams(`The session is open in ${holder}. Continue there, or close it there and try again.`);
    }
    const conversation = this.follow(id, session, folder, roots);
    if (isShown) conversation.replay();
    else conversation.skip();
    return conversation.setup;
  }

  async list({ cwd, cursor }: ListSessionsRequest): Promise<ListSessionsResponse> {
    if (cwd && !isAbsolute(cwd)) throw invalidParams(`"cwd" must be an absolute path, not ${cwd}.`);
    const start = cursor ? startOf(cursor) : 0;
    const wanted = cwd ? canonicalFolder(cwd) : undefined;
    const stored = (await (await this.parts.library())?.list()) ?? [];
    const listed = stored.filter(({ workspace, problem }) => {
      return problem === undefined && isAbsolute(workspace) && (wanted === undefined || workspace === wanted);
    });
    const page = listed.slice(start, start + PAGE);
    return {
      sessions: page.map(({ id, workspace, title, firstWords, updatedAt }) => ({
        sessionId: id,
        cwd: workspace,
        title: title || firstWords,
        updatedAt: new Date(updatedAt).toISOString(),
      })),
      ...(start + PAGE < listed.length && { nextCursor: cursorOf(start + PAGE) }),
    };
  }

  /** Deletes the session. One that does not exist is deleted already. */
  async delete(id: string): Promise<void> {
    await this.release(id);
    const library = await this.parts.library();
    if ((await library?.list())?.some((session) => session.id === id)) await library?.delete(id);
  }

  async close(id: string): Promise<void> {
    this.require(id);
    await this.release(id);
  }

  async prompt({ sessionId, prompt }: PromptRequest, signal: AbortSignal): Promise<PromptResponse> {
    return this.require(sessionId).prompt(prompt, signal);
  }

  /** A session that is not open has nothing to cancel. */
  cancel(id: string): void {
    this.sessions.get(id)?.conversation.cancel();
  }

  async setMode(id: string, mode: string): Promise<void> {
    const conversation = this.require(id);
    if (!isApprovalMode(mode)) throw invalidParams(`There is no mode "${mode}".`);
    await conversation.setMode(mode);
  }

  async setOption(request: SetSessionConfigOptionRequest): Promise<SetSessionConfigOptionResponse> {
    const { sessionId, configId, value } = request;
    const conversation = this.require(sessionId);
    const option = conversation.options.find(({ id }) => id === configId);
    const values =
      option?.type === 'select' ? option.options.flatMap((each) => ('value' in each ? each.value : [])) : [];
    if (!option) throw invalidParams(`There is no option "${configId}".`);
    if (typeof value !== 'string' || !values.includes(value)) {
      throw invalidParams(`"${configId}" can be ${values.join(', ')}.`);
    }
    if (configId === MODE_OPTION) await this.setMode(sessionId, value);
    if (configId === MODEL_OPTION) await conversation.setModel(value);
    return { configOptions: conversation.options };
  }

  /** Sent after the response, because the client does not know a new session before. */
  announceCommands(id: string): void {
    const failed = (error: unknown): void => this.parts.log.error('The commands could not be listed', error);
    setImmediate(() => void this.sessions.get(id)?.conversation.announceCommands().catch(failed));
  }

  /** Interrupts all sessions as a crash would: they can continue later, and questions stay open. */
  async dispose(): Promise<void> {
    for (const { conversation } of this.sessions.values()) conversation.close();
    this.sessions.clear();
    const opened = await Promise.allSettled(this.folders.values());
    await Promise.all(opened.map((folder) => folder.status === 'fulfilled' && folder.value.service.dispose()));
  }

  private require(id: string): ClientSession {
    const opened = this.sessions.get(id);
    if (!opened) throw sessionNotFound(id);
    return opened.conversation;
  }

  private follow(
    id: string,
    session: Awaited<ReturnType<AgentService['createSession']>>,
    { service, host }: OpenedFolder,
    [root = '']: readonly string[],
  ): ClientSession {
    const { client, wording, log } = this.parts;
    const modelName = (): string => host.settings.modelName();
    const conversation = new ClientSession({ id, session, service, client, root, modelName, wording, log });
    this.sessions.set(id, { conversation, service });
    return conversation;
  }

  /** Stops and closes a session that this client has open. */
  private async release(id: string): Promise<void> {
    const opened = this.sessions.get(id);
    if (!opened) return;
    this.sessions.delete(id);
    await opened.conversation.stop();
    opened.conversation.close();
    await opened.service.closeSession(id);
  }

  private async folder(roots: readonly string[]): Promise<OpenedFolder> {
    const key = JSON.stringify(roots);
    const opening = this.folders.get(key) ?? this.parts.openFolder(roots, this.parts.client.name);
    this.folders.set(key, opening);
    try {
      const folder = await opening;
      await folder.check();
      return folder;
    } catch (error) {
      // What is wrong may be put right without a restart. The service of a failed check is kept.
      await opening.catch(() => this.folders.delete(key));
      throw error;
    }
  }

  private optionsOf({ mcpServers }: SessionSetup, roots: readonly string[], sessionId: () => string) {
    const { client, log } = this.parts;
    return {
      mcpServers: serverSetting(mcpServers ?? []),
      ...(client.readsFiles && { editor: new ClientFiles({ client, sessionId, roots, log }) }),
    };
  }
}

/** The folders of a session, by their real paths. */
async function rootsOf({ cwd, additionalDirectories = [] }: SessionSetup): Promise<string[]> {
  const roots = [cwd, ...(additionalDirectories ?? [])];
  for (const root of roots) {
    if (!isAbsolute(root)) throw invalidParams(`Folders must be absolute paths, not "${root}".`);
    const found = await stat(root).catch(() => undefined);
    if (!found?.isDirectory()) throw invalidParams(`${root} ${found ? 'is not a folder' : 'does not exist'}.`);
  }
  return [...new Set(roots.map(canonicalFolder))];
}

function cursorOf(start: number): string {
  return Buffer.from(`after ${start}`).toString('base64url');
}

function startOf(cursor: string): number {
  const [, start] = /^after (\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (start === undefined) throw invalidParams('The cursor is not one of this agent.');
  return Number(start);
}

/** The MCP servers that the client names, in the format of Gemini CLI's settings. */
function serverSetting(servers: readonly McpServer[]): Record<string, unknown> {
  return Object.fromEntries(servers.map((server) => [server.name, settingOf(server)]));
}

function settingOf(server: McpServer): Record<string, unknown> {
  if ('command' in server) return { command: server.command, args: server.args, env: byName(server.env) };
  const headers = byName(server.headers);
  return server.type === 'sse' ? { url: server.url, type: 'sse', headers } : { httpUrl: server.url, headers };
}

function byName(values: readonly { readonly name: string; readonly value: string }[]): Record<string, string> {
  return Object.fromEntries(values.map(({ name, value }) => [name, value]));
}
