import { randomUUID } from 'node:crypto';
import { createEvent, type Event, type Session } from '@google/adk';
import type { Part } from '@google/genai';
import type { DiskView } from '../../files/disk-view.ts';
import type { HookCatalog } from '../../hooks/hook-catalog.ts';
import type { AgentTurn } from '../../hooks/hook-input.ts';
import type { HookSystem } from '../../hooks/hook-system.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Problem } from '../../protocol/agent/problem.ts';
import type { FileSessionService } from '../../sessions/file-session-service.ts';
import type { SessionJournal } from '../../sessions/session-journal.ts';
import type { RunEnd } from '../events/stoppable-run.ts';
import { hookProblems } from '../problems/file-problems.ts';
import { blockedByHook } from '../problems/session-problems.ts';
import { BLOCKED, stoppedBy } from './hook-bridge-plugin.ts';

export interface RunHooksParts {
  readonly catalog: HookCatalog;
  readonly hooks: HookSystem;
  readonly journal: SessionJournal;
  readonly session: Session;
  readonly sessions: FileSessionService;
  readonly warn: (problem: Problem) => void;
  readonly log: Logger;
}

/** The result of the hooks after a turn: the run ends, or continues with another message. */
export type AfterTurn = { readonly end: RunEnd } | { readonly message: Event };

/** Fires the hooks around a run. ADK's own callbacks for this never fire (docs/adk.md). */
export class RunHooks {
  /** Whether SessionStart has fired. It fires with the first message, so that an unused session starts no hooks. */
  private begun = false;

  constructor(private readonly parts: RunHooksParts) {}

  /** Hooks around a run do not fire for agents: their messages are not prompts of a user, as in Gemini CLI. */
  private get isOfAgent(): boolean {
    return this.parts.journal.header.agent !== undefined;
  }

  /** Reads the hooks again, because files may have changed since the last run. Never rejects. */
  async refresh(view: DiskView): Promise<void> {
    const { catalog, warn, log } = this.parts;
    try {
      const problems = await catalog.refresh(view);
      for (const problem of hookProblems(problems)) warn(problem);
    } catch (error) {
      log.error('The hooks could not be read', error);
    }
  }

  /** Adds the context of hooks to the message. Returns undefined if the message may go to the model. */
  async before(message: Event, signal: AbortSignal): Promise<RunEnd | undefined> {
    const { hooks } = this.parts;
    if (this.isOfAgent) return undefined;
    const greeting = await this.begin(message, signal);
    const outcome = hooks.has('BeforeAgent') ? await hooks.beforeAgent(wordsOf(message), signal) : undefined;
    if (signal.aborted) return undefined;
    if (outcome?.kind === 'stop') return stoppedBy(outcome.reason);
    if (outcome?.kind === 'deny') return this.block(message, outcome.reason);
    const added = outcome?.context;
    if (greeting === undefined && added === undefined) return undefined;
    const { parts = [] } = message.content ?? {};
    await this.amend(message, [...contextPart(greeting), ...parts, ...contextPart(added)]);
    return undefined;
  }

  /** Runs after a complete answer. Returns undefined if nothing more follows. */
  async after(turn: AgentTurn, signal: AbortSignal): Promise<AfterTurn | undefined> {
    const { hooks, journal, session, sessions } = this.parts;
    if (this.isOfAgent || !hooks.has('AfterAgent')) return undefined;
    const outcome = await hooks.afterAgent(turn, signal);
    if (signal.aborted) return undefined;
    if (outcome.clearContext) this.record('clear', CLEARED);
    if (outcome.kind === 'go') return undefined;
    if (outcome.kind === 'stop') return { end: stoppedBy(outcome.reason) };
    this.record('context', outcome.reason);
    const content = { role: 'user', parts: [{ text: outcome.reason }] };
    const message = createEvent({ id: randomUUID(), author: 'user', content });
    await sessions.appendEvent({ session, event: message });
    journal.flush();
    return { message };
  }

  async close(): Promise<void> {
    const { hooks } = this.parts;
    if (this.begun && hooks.has('SessionEnd')) await hooks.sessionEnd('exit', new AbortController().signal);
  }

  private async begin(message: Event, signal: AbortSignal): Promise<string | undefined> {
    if (this.begun) return undefined;
    this.begun = true;
    const { hooks, journal } = this.parts;
    if (!hooks.has('SessionStart')) return undefined;
    const isNew = journal.history.events.every(({ id }) => id === message.id);
    return hooks.sessionStart(isNew ? 'startup' : 'resume', signal);
  }

  /** Keeps the message visible to the user, but not to the model: ADK omits events that begin with an empty text. */
  private async block(message: Event, reason: string): Promise<RunEnd> {
    await this.amend(message, [{ text: '' }]);
    this.parts.journal.append({ type: 'problem', problem: blockedByHook(reason), fatal: false });
    return BLOCKED;
  }

  /** Replaces the event of the message, because an event with a known id replaces the earlier one. */
  private async amend(message: Event, parts: Part[]): Promise<void> {
    const { session, sessions } = this.parts;
    await sessions.appendEvent({ session, event: { ...message, content: { role: 'user', parts } } });
  }

  private record(kind: 'context' | 'clear', text: string): void {
    this.parts.journal.append({ type: 'hook', event: 'AfterAgent', hook: 'AfterAgent', text, kind });
  }
}

const CLEARED = 'What was said before is not sent to the model any more.';

export function wordsOf({ content }: Event): string {
  return (content?.parts ?? []).map(({ text = '', thought }) => (thought ? '' : text)).join('');
}

function contextPart(context: string | undefined): Part[] {
  return context === undefined ? [] : [{ text: `<hook_context>${context}</hook_context>` }];
}
