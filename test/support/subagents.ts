import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentEvent } from '../../extension/protocol/agent-event.ts';
import type { AgentSession } from '../../extension/protocol/agent-session.ts';
import { plainText } from '../../extension/protocol/content-part.ts';
import type { AgentService } from '../../extension/runtime/agent-service.ts';
import type { Host } from '../../extension/runtime/host.ts';
import { createInvokeAgentTool } from '../../extension/tools/conversation/invoke-agent.ts';
import type { ToolsOf } from '../../extension/tools/product-tools.ts';
import type { Tool } from '../../extension/tools/tool.ts';
import type { AgentSuite } from './agent.ts';
import { testTool } from './conversation.ts';
import type { RecordedRequest } from './gemini/request.ts';
import { type ChunkStep, call, type Piece } from './gemini/script.ts';
import type { TestHostOptions } from './test-host.ts';

export const readTool = testTool('read_file', 'read', async () => ({ content: 'read' }));
export const writeTool = testTool('write_file', 'edit', async () => ({ content: 'written' }));

/** These, and the one that hands tasks over. */
export function toolsOf(...tools: readonly Tool[]): ToolsOf {
  return ({ agents }) => [...tools, ...(agents ? [createInvokeAgentTool(agents)] : [])];
}

/** A window whose user has the agents that were defined. */
export function openWithAgents(
  agent: AgentSuite,
  tools: ToolsOf = toolsOf(readTool, writeTool),
  options: TestHostOptions = {},
  changes: Partial<Host> = {},
): AgentService {
  const environment = { GOOGLE_GEMINI_BASE_URL: agent.endpoint.url, GEMINI_CLI_HOME: homeOf(agent) };
  return agent.open(tools, { environment, ...options }, changes);
}

/** A definition of the user's, by the lines of its front matter. */
export async function define(agent: AgentSuite, name: string, ...lines: readonly string[]): Promise<void> {
  const folder = join(homeOf(agent), '.gemini', 'agents');
  await mkdir(folder, { recursive: true });
  const matter = [`name: ${name}`, `description: The ${name}`, ...lines];
  await writeFile(join(folder, `${name}.md`), `---\n${matter.join('\n')}\n---\nYou are the ${name}.\n`);
}

/** What the user's settings of Gemini CLI say of agents. */
export async function overrideAgents(agent: AgentSuite, overrides: unknown): Promise<void> {
  await writeFile(join(homeOf(agent), '.gemini', 'settings.json'), JSON.stringify({ agents: { overrides } }));
}

export function homeOf({ sessions }: AgentSuite): string {
  return join(sessions, '..', 'user');
}

/** Replies in the conversation that begins with this message, turn by turn. */
export function script({ endpoint }: AgentSuite, first: string, ...replies: readonly Piece[]): void {
  endpoint.when(
    (request) => firstWords(request) === first,
    (request) => replies[turnOf(request)] ?? 'There is nothing more to say.',
  );
}

export function firstWords({ contents: [first] }: RecordedRequest): string {
  return first?.parts?.[0]?.text ?? '';
}

/** The requests of the conversation that begins with this message. */
export function requestsOf({ endpoint }: AgentSuite, first: string): readonly RecordedRequest[] {
  return endpoint.requests.filter((request) => firstWords(request) === first);
}

function turnOf({ contents }: RecordedRequest): number {
  return contents.filter(({ role }) => role === 'model').length;
}

export function invoke(name: string, prompt: string): ChunkStep {
  return call('invoke_agent', { agent_name: name, prompt });
}

export function report(result: string): ChunkStep {
  return call('complete_task', { result });
}

/** The sessions of agents, in the order in which they began. */
export function threadsOf({ events }: Pick<AgentSession, 'events'>): string[] {
  return [...new Set(events.flatMap(({ threadId }) => threadId ?? []))];
}

/** What a call came to: its text for the model when it failed, else how it is shown. */
export function responses({ events }: Pick<AgentSession, 'events'>): string[] {
  return events.flatMap((event) => {
    if (event.type !== 'tool_response' || event.threadId !== undefined) return [];
    return `${event.name} ${event.isError ? plainText(event.content ?? []) : 'ok'}`;
  });
}

/** What the model was told of its calls, in the newest request of a conversation. */
export function results(requests: readonly RecordedRequest[]): string[] {
  return (requests.at(-1)?.toolResults ?? []).map(({ response }) => JSON.stringify(response));
}

export function isOf(threadId: string | undefined): (event: AgentEvent) => boolean {
  return (event) => event.threadId === threadId;
}
