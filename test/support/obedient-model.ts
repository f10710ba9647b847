import { readdir, readFile, readlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { afterEach, beforeEach } from 'mocha';
import type { EditorPort } from '../../extension/ports/editor.ts';
import type {
  AgentEvent,
  ElicitationRequestEvent,
  ToolRequestEvent,
  ToolResponseEvent,
} from '../../extension/protocol/agent/agent-event.ts';
import type { AgentSession } from '../../extension/protocol/agent/agent-session.ts';
import { plainText } from '../../extension/protocol/agent/content-part.ts';
import { AgentService } from '../../extension/runtime/agent-service.ts';
import { productTools } from '../../extension/tools/product-tools.ts';
import type { PinnedFetch } from '../../extension/tools/web/pinned-fetch.ts';
import { type AgentSuite, useAgent } from './agent.ts';
import { message } from './conversation.ts';
import { call, together } from './gemini/script.ts';
import { createTempWorkspace, type TempWorkspace, type WorkspaceFiles } from './temp-workspace.ts';
import { type TestHost, type TestHostOptions, testHost } from './test-host.ts';

/** One call that the model makes because a text it read told it to. */
export interface Attempt {
  readonly name: string;
  readonly args: Record<string, unknown>;
}

/** The outcome of an attempt. */
export interface Fate extends Attempt {
  readonly callId: string;
  readonly question: ElicitationRequestEvent | undefined;
  readonly response: ToolResponseEvent | undefined;
  /** A short outcome: the card is pending, the call ran, or it was refused with this kind of error. */
  readonly end: string;
}

export interface ObedientOptions extends Omit<TestHostOptions, 'roots' | 'sessions' | 'environment'> {
  readonly files?: WorkspaceFiles;
  /** The user's files, in the home folder that contains `.gemini`. */
  readonly home?: WorkspaceFiles;
  readonly editor?: EditorPort;
  readonly fetch?: PinnedFetch;
}

export interface Obedient {
  readonly service: AgentService;
  readonly session: AgentSession;
  readonly host: TestHost;
  readonly root: string;
  readonly home: TempWorkspace;
  /** The model makes these calls in one answer. Resolves when each has run, was refused, or has its card. */
  tries(...attempts: readonly Attempt[]): Promise<Fate[]>;
  answer(fate: Fate, content: Readonly<Record<string, unknown>> | undefined): Promise<void>;
  /** Resolves when the run is over. */
  ended(): Promise<void>;
}

export interface ObedientSuite extends AgentSuite {
  obedient(options?: ObedientOptions): Promise<Obedient>;
}

/** Everything that a user can do to never be asked. */
export const ALLOW_EVERYTHING: WorkspaceFiles = {
  '.gemini/policies/all.toml':
    '[[rule]]\ntoolName = "*"\ndecision = "allow"\npriority = 999\nallowRedirection = true\nmodes = ["default", "autoEdit", "yolo", "plan"]\n',
};

/** The product with a model that follows every instruction it reads. Call this inside `describe`. */
export function useObedientModel(): ObedientSuite {
  let services: AgentService[] = [];
  let homes: TempWorkspace[] = [];
  beforeEach(() => {
    services = [];
    homes = [];
  });
  afterEach(async () => {
    for (const service of services) await service.dispose();
    for (const home of homes) await home.dispose();
  });
  const agent = useAgent();
  const obedient = async (options: ObedientOptions = {}): Promise<Obedient> => {
    const { files = {}, home: homeFiles = {}, editor, fetch, ...hostOptions } = options;
    const home = await createTempWorkspace(homeFiles);
    const work = await createTempWorkspace(files);
    homes.push(home, work);
    const host = testHost({
      ...hostOptions,
      sessions: agent.sessions,
      roots: [work.path],
      environment: {
        GOOGLE_GEMINI_BASE_URL: agent.endpoint.url,
        GEMINI_CLI_HOME: home.path,
        HOME: home.path,
        PATH: process.env['PATH'] ?? '',
      },
    });
    const service = new AgentService({ ...host, ...(editor && { editor }) }, (parts) =>
      productTools({ ...parts, ...(fetch && { fetch }) }),
    );
    services.push(service);
    const session = await service.createSession();
    return {
      service,
      session,
      host,
      root: work.path,
      home,
      tries: (...attempts) => tries(agent, session, attempts),
      answer: async ({ question }, content) => {
        const given = content ? { action: 'accept' as const, content } : { action: 'decline' as const, content: {} };
        await session.send({ elicitations: [{ requestId: question?.requestId ?? '', ...given }] });
      },
      ended: () => until(session, (events) => events.at(-1)?.type === 'agent_end'),
    };
  };
  // Not a spread, because the agent's getters work only while a test runs.
  return Object.create(agent, { obedient: { value: obedient } }) as ObedientSuite;
}

async function tries(agent: AgentSuite, session: AgentSession, attempts: readonly Attempt[]): Promise<Fate[]> {
  const before = session.events.length;
  agent.endpoint.reply(together(...attempts.map(({ name, args }) => call(name, args))));
  agent.endpoint.always('Done.');
  const settled = new Set<string>();
  const allSettled = new Promise<void>((resolve) => {
    const stop = session.subscribe((event) => {
      if (event.type === 'tool_response') settled.add(event.requestId);
      if (event.type === 'elicitation_request') settled.add(event._meta?.callId ?? '');
      if (settled.size < attempts.length) return;
      stop();
      resolve();
    });
  });
  await session.send(message('go'));
  await allSettled;
  return fatesOf(session.events.slice(before));
}

export function fatesOf(events: readonly AgentEvent[]): Fate[] {
  const requests = events.filter((event): event is ToolRequestEvent => event.type === 'tool_request');
  const questions = new Map(
    events.flatMap((event) => (event.type === 'elicitation_request' ? [[event._meta?.callId, event] as const] : [])),
  );
  const responses = new Map(
    events.flatMap((event) => (event.type === 'tool_response' ? [[event.requestId, event] as const] : [])),
  );
  return requests.map(({ requestId: callId, name, args }) => {
    const [question, response] = [questions.get(callId), responses.get(callId)];
    return { callId, name, args: { ...args }, question, response, end: endOf(question, response) };
  });
}

function endOf(question: ElicitationRequestEvent | undefined, response: ToolResponseEvent | undefined): string {
  if (response) return response.isError ? String(response.data?.['errorType']) : 'ran';
  return question ? 'asked' : 'open';
}

/** The text that the model received because the call did not run. */
export function told({ response }: Fate): string {
  return plainText(response?.content ?? []);
}

/** The kinds of approval that a card offers. */
export function offered({ question }: Fate): unknown {
  const { properties } = question?.requestedSchema ?? {};
  return JSON.parse(JSON.stringify(properties ?? {}))?.decision?.enum;
}

export async function until(session: AgentSession, is: (events: readonly AgentEvent[]) => boolean): Promise<void> {
  if (is(session.events)) return;
  await new Promise<void>((resolve) => {
    const stop = session.subscribe(() => {
      if (!is(session.events)) return;
      stop();
      resolve();
    });
  });
}

/** All files below a folder with their contents, and links with their targets. */
export async function contentsOf(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path);
    if (entry.isSymbolicLink()) found[name] = `-> ${await readlink(path)}`;
    else found[name] = entry.isFile() ? await readFile(path, 'latin1') : '(folder)';
  }
  return found;
}
