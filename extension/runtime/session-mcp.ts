import type { McpServer } from '../mcp/mcp-server.ts';
import type { McpServers } from '../mcp/mcp-servers.ts';
import type { McpProblem } from '../mcp/server-definition.ts';
import type { Problem } from '../protocol/problem.ts';
import { readAnswer } from '../scheduler/approval-question.ts';
import type { ConfirmationBroker } from '../scheduler/confirmation-broker.ts';
import type { ToolCall } from '../scheduler/scheduler.ts';
import type { ToolContext } from '../tools/tool.ts';
import { serverProblems } from './file-problems.ts';
import type { Host } from './host.ts';

export interface SessionMcpParts {
  /** Those that all sessions share. */
  readonly servers: McpServers;
  /** Those that only the agent has whose session it is. */
  readonly own?: McpServers | undefined;
  readonly host: Pick<Host, 'workspace' | 'sessions' | 'log'>;
  readonly warn: (problem: Problem) => void;
}

/** Somebody who looks on gets an answer soon and the tools when they are there; a command line or an agent has only one go. */
const WAIT_MS = { watched: 2_000, alone: 30_000 };

/** MCP servers as one session sees them. */
export class SessionMcp {
  private readonly told = new Set<string>();
  private readonly waitedFor = new WeakSet<McpServer>();

  constructor(private readonly parts: SessionMcpParts) {}

  /** A run begins: files may have changed. Waits a moment for servers that just start, once for each. Never rejects. */
  async prepare(): Promise<void> {
    const { servers, own, host } = this.parts;
    if (!host.workspace.isTrusted()) return;
    const limit = host.sessions.interactive ? WAIT_MS.watched : WAIT_MS.alone;
    try {
      await Promise.all([this.look(servers, limit), own && this.look(own, WAIT_MS.alone)]);
    } catch (error) {
      host.log.error('The MCP servers could not be looked at', error);
    }
  }

  private async look(servers: McpServers, limit: number): Promise<void> {
    await servers.refresh();
    this.tell(servers.problems);
    const fresh = servers.servers.filter((server) => !this.waitedFor.has(server));
    for (const server of fresh) this.waitedFor.add(server);
    if (fresh.some(({ state }) => state.kind === 'starting')) await servers.settled(limit);
  }

  private tell(problems: readonly McpProblem[]): void {
    const fresh = problems.filter((problem) => !this.told.has(textOf(problem)));
    for (const problem of fresh) this.told.add(textOf(problem));
    for (const problem of serverProblems(fresh)) this.parts.warn(problem);
  }
}

function textOf({ file, line, text }: McpProblem): string {
  return `${file}:${line}: ${text}`;
}

/** Asks the person behind a call, on its card. */
export function askOnCard(
  broker: Pick<ConfirmationBroker, 'ask'>,
  { id: callId }: ToolCall,
): NonNullable<ToolContext['ask']> {
  return async ({ title, message, why, questions }, signal) => {
    const details = { type: 'ask_user' as const, questions: [...questions] };
    const schema = {
      type: 'object',
      properties: {
        decision: { type: 'string', enum: ['once'] },
        answers: { type: 'object', additionalProperties: { type: 'string' } },
      },
      required: ['decision'],
    };
    const given = await broker.ask({ callId, title, message, schema, request: { details, why, grants: [] } }, signal);
    if (given.action !== 'accept') return { action: given.action };
    return { action: 'accept', answers: readAnswer(given.content).answers ?? {} };
  };
}
