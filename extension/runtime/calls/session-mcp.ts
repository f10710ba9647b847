import * as l10n from '@vscode/l10n';
import { News } from '../../base/news.ts';
import type { DiskView } from '../../files/disk-view.ts';
import type { McpServer } from '../../mcp/mcp-server.ts';
import type { McpServers } from '../../mcp/mcp-servers.ts';
import type { McpProblem } from '../../mcp/server-definition.ts';
import type { Host } from '../../ports/host.ts';
import type { ToolContext } from '../../ports/tool.ts';
import type { Problem } from '../../protocol/agent/problem.ts';
import { readAnswer } from '../../scheduler/approval-question.ts';
import type { ConfirmationBroker } from '../../scheduler/confirmation-broker.ts';
import type { ToolCall } from '../../scheduler/tool-call.ts';
import { serverProblems, serverTrouble } from '../problems/file-problems.ts';

export interface SessionMcpParts {
  /** The servers that all sessions share. */
  readonly servers: McpServers;
  /** The servers that only this session uses. */
  readonly own?: McpServers | undefined;
  /** Whether the session works for a leader, which already reports problems of the shared servers. */
  readonly isOfAgent?: boolean;
  /** Whether problems are reported although a user is there, because no panel shows the state of servers. */
  readonly hasNoPanel?: boolean;
  readonly host: Pick<Host, 'workspace' | 'sessions' | 'log'>;
  readonly warn: (problem: Problem) => void;
}

/**
 * How long a run waits for servers. Tools of slower shared servers become available later; an agent relies on its own.
 */
const WAIT_MS = { shared: 2_000, own: 30_000 };

/** MCP servers as one session sees them. */
export class SessionMcp {
  private readonly news = { shared: new News<McpProblem>(), own: new News<McpProblem>() };
  /** The reported problems of each server, by its name, until the server works. */
  private readonly troubles = new Map<string, Set<string>>();
  private readonly waitedFor = new WeakSet<McpServer>();
  private unwatch: (() => void) | undefined;

  constructor(private readonly parts: SessionMcpParts) {}

  /**
   * Prepares a run: reads the servers again and waits briefly for those that are starting, once for each. Never
   * rejects.
   */
  async prepare(view?: DiskView): Promise<void> {
    const { servers, own, host } = this.parts;
    if (!host.workspace.isTrusted()) return;
    this.watch();
    try {
      await Promise.all([this.look(servers, 'shared', view), own && this.look(own, 'own', view)]);
    } catch (error) {
      host.log.error('The MCP servers could not be looked at', error);
    }
  }

  private async look(servers: McpServers, whose: keyof typeof WAIT_MS, view?: DiskView): Promise<void> {
    await servers.refresh(view);
    for (const problem of serverProblems(this.news[whose].take(servers.problems))) this.parts.warn(problem);
    const limit = WAIT_MS[whose];
    const fresh = servers.servers.filter((server) => !this.waitedFor.has(server));
    for (const server of fresh) this.waitedFor.add(server);
    if (fresh.some(({ state }) => state.kind === 'starting')) await servers.settled(limit);
    if (this.unwatch) for (const server of fresh) this.reportSlowServer(server, limit);
  }

  /** Reports problems of servers as soon as they are known. Not needed where a panel shows the state of servers. */
  private watch(): void {
    const { servers, own, isOfAgent, hasNoPanel, host } = this.parts;
    if ((host.sessions.interactive && !hasNoPanel) || this.unwatch) return;
    const watched = [isOfAgent ? undefined : servers, own].filter((each) => each !== undefined);
    const stops = watched.map((each) =>
      each.onDidChange(() => {
        for (const server of each.servers) this.reportServer(server);
      }),
    );
    this.unwatch = () => {
      for (const stop of stops) stop();
    };
  }

  private reportServer({ name, state }: McpServer): void {
    if (state.kind === 'ready') this.troubles.delete(name);
    if (state.kind === 'failed') this.trouble(name, state.reason);
    if (state.kind === 'needs-sign-in') this.trouble(name, l10n.t('It requires you to sign in. Sign in from VS Code.'));
    if (state.kind === 'starting' && state.trouble !== undefined) this.trouble(name, state.trouble, true);
  }

  private reportSlowServer({ name, state }: McpServer, limit: number): void {
    if (state.kind === 'starting' && state.trouble === undefined)
      this.trouble(
        name,
        l10n.t('It has not answered for {0} s. Its tools become available when it does.', limit / 1000),
        true,
      );
  }

  private trouble(name: string, reason: string, isStarting = false): void {
    const said = this.troubles.get(name) ?? new Set();
    if (said.has(reason)) return;
    this.troubles.set(name, said.add(reason));
    this.parts.warn(serverTrouble(name, reason, isStarting));
  }

  dispose(): void {
    this.unwatch?.();
  }
}

/** Asks the user on the card of a call. */
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
