import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Host } from '../../extension/ports/host.ts';
import type { Tool } from '../../extension/ports/tool.ts';
import type { AgentEvent } from '../../extension/protocol/agent/agent-event.ts';
import type { AgentSession } from '../../extension/protocol/agent/agent-session.ts';
import { plainText } from '../../extension/protocol/agent/content-part.ts';
import type { AgentService } from '../../extension/runtime/agent-service.ts';
import { createInvokeAgentTool } from '../../extension/tools/conversation/invoke-agent.ts';
import type { ToolsOf } from '../../extension/tools/product-tools.ts';
import type { AgentSuite } from './agent.ts';
import { testTool } from './conversation.ts';
import type { RecordedRequest } from './gemini/request.ts';
import { type ChunkStep, call, type Piece } from './gemini/script.ts';
import type { TestHostOptions } from './test-host.ts';

export const readTool = testTool('read_file', 'read', async () => ({ content: 'read' }));
export const writeTool = testTool('write_file', 'edit', async () => ({ content: 'written' }));

/** These tools, and the tool that invokes subagents. */
export function toolsOf(...tools: readonly Tool[]): ToolsOf {
  return ({ agents }) => [...tools, ...(agents ? [createInvokeAgentTool(agents)] : [])];
}

/** The agents that a suite's user has defined, and the model's replies in their conversations. */
export class Subagents {
  constructor(private readonly agent: AgentSuite) {}

  /** The folder of the user's Gemini CLI files. */
  get home(): string {
    return join(this.agent.sessions, '..', 'user');
  }

  /** Opens a window whose user has the defined agents. Its tools are these, and the tool that invokes subagents. */
  open(
    tools: readonly Tool[] = [readTool, writeTool],
    options: TestHostOptions = {},
    changes: Partial<Host> = {},
  ): AgentService {
    return this.agent.open(toolsOf(...tools), { environment: this.environment, ...options }, changes);
  }

  /** The environment of the windows. */
  get environment(): Readonly<Record<string, string>> {
    return { GOOGLE_GEMINI_BASE_URL: this.agent.endpoint.url, GEMINI_CLI_HOME: this.home };
  }

  /** Defines an agent of the user with these lines of front matter. */
  async define(name: string, ...lines: readonly string[]): Promise<void> {
    const folder = join(this.home, '.gemini', 'agents');
    await mkdir(folder, { recursive: true });
    const matter = [`name: ${name}`, `description: The ${name}`, ...lines];
    await writeFile(join(folder, `${name}.md`), `---\n${matter.join('\n')}\n---\nYou are the ${name}.\n`);
  }

  /** Sets the overrides for agents in the user's Gemini CLI settings. */
  async override(overrides: unknown): Promise<void> {
    await writeFile(join(this.home, '.gemini', 'settings.json'), JSON.stringify({ agents: { overrides } }));
  }

  /** Scripts the replies in the conversation that begins with this message. */
  script(first: string, ...replies: readonly Piece[]): void {
    this.agent.endpoint.when(
      (request) => firstWords(request) === first,
      (request) => replies[turnOf(request)] ?? 'There is nothing more to say.',
    );
  }

  /** Defines a smith: after "Go", it gets the task "Forge" and writes a file. */
  async defineSmith(): Promise<void> {
    await this.define('smith', 'tools: [write_file]');
    this.script('Go', invoke('smith', 'Forge'), 'Thanks.');
    this.script('Forge', call('write_file'), report('Forged.'));
  }

  /** The requests of the conversation that begins with this message. */
  requestsOf(first: string): readonly RecordedRequest[] {
    return this.agent.endpoint.requests.filter((request) => firstWords(request) === first);
  }

  /** The tool results in the newest request of that conversation. */
  resultsOf(first: string): string[] {
    return (this.requestsOf(first).at(-1)?.toolResults ?? []).map(({ response }) => JSON.stringify(response));
  }
}

/** The first message, without Gantry's notes, such as the one about the mode. */
function firstWords({ contents }: RecordedRequest): string {
  return contents.map(({ parts }) => parts?.[0]?.text ?? '').find((text) => !text.startsWith('[')) ?? '';
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

/** The threads of subagents, in the order in which they started. */
export function threadsOf({ events }: Pick<AgentSession, 'events'>): string[] {
  return [...new Set(events.flatMap(({ threadId }) => threadId ?? []))];
}

/** The results of calls: the text for the model if the call failed, otherwise the displayed result. */
export function responses({ events }: Pick<AgentSession, 'events'>): string[] {
  return events.flatMap((event) => {
    if (event.type !== 'tool_response' || event.threadId !== undefined) return [];
    return `${event.name} ${event.isError ? plainText(event.content ?? []) : 'ok'}`;
  });
}

export function isOf(threadId: string | undefined): (event: AgentEvent) => boolean {
  return (event) => event.threadId === threadId;
}
