import type { ContentBlock, PromptResponse, SessionConfigOption, StopReason } from '@agentclientprotocol/sdk';
import { RequestError } from '@agentclientprotocol/sdk';
import type { Logger } from '../ports/logger.ts';
import type {
  AgentEndReason,
  AgentEvent,
  ElicitationRequestEvent,
  ToolRequestEvent,
} from '../protocol/agent/agent-event.ts';
import type { AgentSend, Unsubscribe } from '../protocol/agent/agent-protocol.ts';
import type { AgentSession } from '../protocol/agent/agent-session.ts';
import type { ApprovalMode } from '../protocol/agent/approval-mode.ts';
import { isCompressCommand } from '../protocol/agent/compaction.ts';
import { type ContentPart, textPart } from '../protocol/agent/content-part.ts';
import { type Problem, ProblemError } from '../protocol/agent/problem.ts';
import type { AgentService } from '../runtime/agent-service.ts';
import type { AcpClient } from './client.ts';
import { invalidRequest, problemError } from './errors.ts';
import { configOptions, modeState, type SessionState } from './options.ts';
import { receivedPrompt } from './prompt-content.ts';
import { askClient } from './questions.ts';
import { UpdateTranslator } from './updates.ts';

export interface ClientSessionParts {
  readonly id: string;
  readonly session: AgentSession;
  readonly service: AgentService;
  readonly client: AcpClient;
  /** The folder that relative paths start from. */
  readonly root: string;
  /** The model for sessions that chose none. */
  readonly modelName: () => string;
  readonly wording: Wording;
  readonly log: Logger;
}

/** The texts that the command line has for events and problems. */
export interface Wording {
  /** Notes beside the answer: warnings, waiting for a model, messages of hooks. */
  note(event: AgentEvent, events: readonly AgentEvent[]): string | undefined;
  problem(problem: Problem): string;
  /** Shows a line to people who look at the log of the process. */
  show(line: string): void;
}

/** A session that a client has open. */
export class ClientSession {
  private readonly updates: UpdateTranslator;
  private readonly calls = new Map<string, ToolRequestEvent>();
  /** The questions that the client was asked and has not answered. */
  private readonly asking = new Map<string, AbortController>();
  /** Stops the current prompt; undefined between prompts. */
  private turn: AbortController | undefined;
  private turnEnded: Promise<unknown> = Promise.resolve();
  private readonly unsubscribe: Unsubscribe;
  private isClosed = false;

  constructor(private readonly parts: ClientSessionParts) {
    this.updates = new UpdateTranslator(parts.root);
    this.unsubscribe = parts.session.subscribe((event) => this.take(event));
  }

  get state(): SessionState {
    const { approvalMode, chosenModel } = this.parts.service.session(this.parts.id);
    return { mode: approvalMode, model: chosenModel ?? this.parts.modelName() };
  }

  get options(): SessionConfigOption[] {
    return configOptions(this.state);
  }

  get setup(): { modes: ReturnType<typeof modeState>; configOptions: SessionConfigOption[] } {
    return { modes: modeState(this.state), configOptions: this.options };
  }

  /** Sends the conversation so far to the client. */
  replay(): void {
    for (const event of this.parts.session.events) this.tell(event, true);
    this.parts.client.flush(this.parts.id);
  }

  /** Like `replay`, but only remembers what it needs to know for later events. */
  skip(): void {
    for (const event of this.parts.session.events) {
      if (event.type === 'tool_request') this.calls.set(event.requestId, event);
      this.updates.take(event, true);
    }
  }

  async announceCommands(): Promise<void> {
    const { service, client, id } = this.parts;
    const { library } = service.customCommands;
    await library.refresh();
    if (this.isClosed) return;
    const own = [
      { name: 'init', description: 'Write an instruction file for this project' },
      { name: 'compress', description: 'Replace earlier messages with a summary' },
    ];
    const custom = library.list.map(({ name, description }) => ({
      name,
      description: description || name,
      input: { hint: 'arguments' },
    }));
    const named = new Map([...custom, ...own].map((command) => [command.name, command]));
    client.update(id, { sessionUpdate: 'available_commands_update', availableCommands: [...named.values()] });
  }

  async setMode(mode: ApprovalMode): Promise<void> {
    await this.parts.session.send({ update: { config: { approvalMode: mode } } });
  }

  async setModel(model: string): Promise<void> {
    await this.parts.session.send({ update: { model } });
  }

  /** Sends a prompt, and resolves at the end of its turn. `signal` cancels it. */
  prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
    const answer = this.answerPrompt(blocks, signal);
    this.turnEnded = Promise.allSettled([this.turnEnded, answer]);
    return answer;
  }

  private async answerPrompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
    if (this.turn) throw invalidRequest('This session is still answering. Wait for the answer, or cancel it first.');
    const turn = new AbortController();
    this.turn = turn;
    const cancel = (): void => this.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const payload = await this.payload(blocks, turn.signal);
      if (turn.signal.aborted) return { stopReason: 'cancelled' };
      return { stopReason: await this.run(payload, turn.signal) };
    } catch (error) {
      if (turn.signal.aborted && !(error instanceof RequestError)) return { stopReason: 'cancelled' };
      throw error;
    } finally {
      this.parts.client.flush(this.parts.id);
      signal.removeEventListener('abort', cancel);
      this.turn = undefined;
    }
  }

  /** Stops the current turn. Not if the client is gone: then a question stays open for whoever continues the session. */
  cancel(): void {
    if (this.isClosed || this.parts.client.isGone) return;
    this.turn?.abort();
    const failed = (error: unknown): void => this.parts.log.error('The run could not be stopped', error);
    this.parts.session.abort().catch(failed);
  }

  /** Like `cancel`, and waits until the turn has ended. */
  async stop(): Promise<void> {
    this.cancel();
    await this.parts.session.abort();
    await this.turnEnded;
  }

  /** Stops following the session. It is not changed. */
  close(): void {
    this.isClosed = true;
    this.unsubscribe();
    this.parts.client.flush(this.parts.id);
    for (const asking of this.asking.values()) asking.abort();
  }

  private async run(payload: AgentSend, stop: AbortSignal): Promise<StopReason> {
    const { session } = this.parts;
    const { streamId } = await session.send(payload);
    if (stop.aborted) this.cancel();
    if (streamId === null) return 'end_turn';
    // A session that a restart cut off may still wait for an answer. It is part of this turn.
    this.askOpen();
    let failure: Problem | undefined;
    for await (const event of session.stream({ streamId })) {
      if (event.threadId !== undefined) continue;
      if (event.type === 'error' && event.fatal) failure = event._meta?.problem ?? internal(event.message);
      if (event.type !== 'agent_end') continue;
      if (event.reason !== 'failed') return stopReasonOf(event.reason);
      const problem = failure ?? internal('');
      throw problemError(problem, this.parts.wording.problem(problem));
    }
    return 'end_turn';
  }

  private take(event: AgentEvent): void {
    if (this.isClosed) return;
    this.tell(event, false);
    if (event.type === 'elicitation_request') this.ask(event);
    if (event.type === 'elicitation_response') this.asking.get(event.requestId)?.abort();
    this.note(event);
  }

  private tell(event: AgentEvent, isReplay: boolean): void {
    const { client, id } = this.parts;
    if (event.type === 'tool_request') this.calls.set(event.requestId, event);
    for (const update of this.updates.take(event, isReplay)) client.update(id, update);
    if (isReplay || event.threadId !== undefined) return;
    if (event.type === 'usage') this.tellUsage();
    if (event.type !== 'session_update' || !event.config) return;
    const { mode } = this.state;
    if ('approvalMode' in event.config) {
      client.update(id, { sessionUpdate: 'current_mode_update', currentModeId: mode });
    }
    client.update(id, { sessionUpdate: 'config_option_update', configOptions: this.options });
  }

  private tellUsage(): void {
    const { client, service, id } = this.parts;
    const { contextUse, totals } = service.session(id);
    const cost = totals.cost > 0 ? { cost: { amount: totals.cost, currency: 'USD' } } : {};
    client.update(id, { sessionUpdate: 'usage_update', used: contextUse.used, size: contextUse.window, ...cost });
  }

  /** Warnings and notes. The error that ends a run is the answer to the prompt. */
  private note(event: AgentEvent): void {
    const { client, id, session, wording } = this.parts;
    if (event.type === 'tool_response' || event.type === 'agent_end' || (event.type === 'error' && event.fatal)) return;
    const text = wording.note(event, session.events);
    if (text === undefined) return;
    const severity = event.type === 'error' ? 'warning' : 'info';
    if (client.hasNotices) client.update(id, { sessionUpdate: 'notice', severity, title: text });
    else wording.show(text);
  }

  /** Asks the questions that nobody has answered. The runtime takes an answer even before it has looked at the call again. */
  private askOpen(): void {
    const open = new Map<string, ElicitationRequestEvent>();
    for (const event of this.parts.session.events) {
      if (event.type === 'elicitation_request') open.set(event.requestId, event);
      if (event.type === 'elicitation_response') open.delete(event.requestId);
    }
    for (const event of open.values()) if (!this.asking.has(event.requestId)) this.ask(event);
  }

  private ask(event: ElicitationRequestEvent): void {
    const { requestId } = event;
    const asking = new AbortController();
    this.asking.set(requestId, asking);
    this.answer(event, asking.signal)
      .catch((error: unknown) => this.parts.log.error('A question could not be asked', error))
      .finally(() => this.asking.delete(requestId));
  }

  private async answer(event: ElicitationRequestEvent, signal: AbortSignal): Promise<void> {
    const { client, session, id, service } = this.parts;
    const { requestId } = event;
    const editsOf = (callId: string) =>
      service.session(id).edits.waiting.find((edit) => edit.callId === callId)?.edits ?? [];
    // The complete edit is known once the event has been passed to everybody.
    await Promise.resolve();
    const asked = askClient(event, { client, sessionId: id, callOf: (call) => this.calls.get(call), editsOf }, signal);
    const given = await asked.catch((error: unknown) => {
      if (signal.aborted || this.isClosed || client.isGone) return undefined;
      this.parts.log.warn(`The client could not ask: ${String(error)}`);
      return { action: 'decline', content: { reason: UNASKED } } as const;
    });
    if (!given || signal.aborted || this.isClosed || client.isGone) return;
    try {
      await session.send({ elicitations: [{ requestId, ...given }], _meta: { source: 'acp' } });
    } catch (error) {
      // Another surface answered first, or the run was stopped.
      if (!ProblemError.is(error, 'not-waiting')) throw error;
    }
  }

  /** The message of a prompt: with a command expanded, and with the files that it mentions. */
  private async payload(blocks: readonly ContentBlock[], stop: AbortSignal): Promise<AgentSend> {
    const { text, attached } = receivedPrompt(blocks);
    const { service, id } = this.parts;
    if (isCompressCommand(text) && attached.length === 0) return { action: { type: 'compress', data: undefined } };
    const typed = text.startsWith('/') ? await service.customCommands.typed(id, text, stop) : undefined;
    const mentioned = await service.messageContext.mentions.of(id, { text, isTyped: true }, stop);
    for (const problem of [...(typed?.problems ?? []), ...mentioned.problems]) this.parts.wording.show(problem);
    const said: readonly ContentPart[] = typed?.parts ?? (text === '' ? [] : [textPart(text)]);
    return { message: { content: [...said, ...mentioned.parts, ...attached] }, _meta: { source: 'acp' } };
  }
}

const UNASKED = 'The editor of the user could not show this question, so nobody has decided about it.';

function internal(detail: string): Problem {
  return { kind: 'internal', title: 'The run failed', detail, actions: [] };
}

function stopReasonOf(reason: Exclude<AgentEndReason, 'failed'>): StopReason {
  switch (reason) {
    case 'aborted':
      return 'cancelled';
    case 'max_turns':
    case 'max_time':
      return 'max_turn_requests';
    case 'max_budget':
      return 'max_tokens';
    case 'refusal':
      return 'refusal';
    case 'completed':
    case 'elicitation':
      return 'end_turn';
  }
}
