import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'mocha';
import type { Host } from '../../extension/ports/host.ts';
import type { Tool } from '../../extension/ports/tool.ts';
import type { AgentEvent } from '../../extension/protocol/agent/agent-event.ts';
import type { AgentSession } from '../../extension/protocol/agent/agent-session.ts';
import { AgentService } from '../../extension/runtime/agent-service.ts';
import type { ToolsOf } from '../../extension/tools/product-tools.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from './gemini/server.ts';
import { type TempFolder, tempFolder } from './temp-folder.ts';
import { type TestHostOptions, testHost } from './test-host.ts';

export interface AgentSuite {
  readonly endpoint: GeminiEndpoint;
  /** The folder of the sessions. */
  readonly sessions: string;
  /** The folder the user opened. */
  readonly workspace: string;
  /** Opens another window over the same folders. */
  open(tools?: readonly Tool[] | ToolsOf, options?: TestHostOptions, changes?: Partial<Host>): AgentService;
  /** Closes the window and opens the session in a new one. */
  reopen(service: AgentService, session: AgentSession, tools?: readonly Tool[]): Promise<AgentSession>;
}

/** Call this inside `describe`. Each test gets a new endpoint and new folders. */
export function useAgent(): AgentSuite {
  let endpoint: GeminiEndpoint | undefined;
  let folders: TempFolder[] = [];
  let services: AgentService[] = [];
  beforeEach(async () => {
    endpoint = await startGeminiEndpoint();
    folders = [await tempFolder('home'), await tempFolder('workspace')];
    services = [];
    await mkdir(suite.sessions);
  });
  afterEach(async () => {
    for (const service of services) await service.dispose();
    for (const folder of folders) await folder.dispose();
    await endpoint?.dispose();
  });
  const suite: AgentSuite = {
    get endpoint() {
      if (!endpoint) throw new Error('The endpoint is there in tests and hooks only.');
      return endpoint;
    },
    get sessions() {
      // A subfolder, because other files are stored next to the sessions.
      return join(folders[0]?.path ?? '', 'sessions');
    },
    get workspace() {
      return folders[1]?.path ?? '';
    },
    open: (tools = [], options = {}, changes = {}) => {
      const environment = { GOOGLE_GEMINI_BASE_URL: suite.endpoint.url };
      const host = testHost({ environment, sessions: suite.sessions, roots: [suite.workspace], ...options });
      const service = new AgentService({ ...host, ...changes }, typeof tools === 'function' ? tools : () => tools);
      services.push(service);
      return service;
    },
    reopen: async (service, session, tools = []) => {
      await service.dispose();
      return suite.open(tools).resumeSession(idOf(session));
    },
  };
  return suite;
}

export function idOf({ events: [first] }: Pick<AgentSession, 'events'>): string {
  if (first?.type !== 'initialize') throw new Error('A session has an id to be seen when something happened in it.');
  return first.sessionId;
}

/** The unanswered questions, oldest first. */
export function openQuestions({ events }: Pick<AgentSession, 'events'>): string[] {
  const answered = new Set(events.flatMap((event) => (event.type === 'elicitation_response' ? event.requestId : [])));
  return events.flatMap((event) =>
    event.type === 'elicitation_request' && !answered.has(event.requestId) ? event.requestId : [],
  );
}

/** Declines every model choice: the user wants neither another model nor another attempt. */
export function declineModels(session: AgentSession): void {
  session.subscribe((event) => {
    if (event.type !== 'elicitation_request' || !event._meta?.modelChoice) return;
    void session.send({ elicitations: [{ requestId: event.requestId, action: 'decline', content: {} }] });
  });
}

/** Calls that never got their `tool_response`. */
export function unansweredCalls(events: readonly AgentEvent[]): string[] {
  const answered = new Set(events.flatMap((event) => (event.type === 'tool_response' ? event.requestId : [])));
  return events.flatMap((event) =>
    event.type === 'tool_request' && !answered.has(event.requestId) ? event.requestId : [],
  );
}

/** Waits for an event that matches. An earlier event counts. */
export async function untilEvent(session: AgentSession, matches: (event: AgentEvent) => boolean): Promise<AgentEvent> {
  const known = session.events.find(matches);
  if (known) return known;
  return new Promise((resolve) => {
    const stop = session.subscribe((event) => {
      if (!matches(event)) return;
      stop();
      resolve(event);
    });
  });
}

/** Waits for the first question of the session. An earlier question counts. */
export async function untilAsked(session: AgentSession): Promise<Extract<AgentEvent, { type: 'elicitation_request' }>> {
  const event = await untilEvent(session, ({ type }) => type === 'elicitation_request');
  if (event.type !== 'elicitation_request') throw new Error(`This is no question: ${event.type}`);
  return event;
}
