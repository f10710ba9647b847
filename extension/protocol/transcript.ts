import type {
  AgentEndEvent,
  AgentEvent,
  CustomEvent,
  ElicitationRequestEvent,
  ElicitationResponseEvent,
  EndedCommandData,
  LostCommandData,
  ToolDisplay,
  ToolRequestEvent,
  ToolResponseEvent,
} from './agent-event.ts';
import { AgentThreads } from './agent-threads.ts';
import {
  type CommandEntry,
  endedNote,
  finishedCommand,
  liveCommand,
  lostNote,
  settledCommand,
  typedCommand,
} from './command-entry.ts';
import { customEntry } from './custom-entry.ts';
import { endNote } from './end-note.ts';
import { hookNote, shownProblem } from './event-entries.ts';
import { choiceEntry } from './model-entry.ts';
import type { TranscriptChange } from './panel-messages.ts';
import { type TodoItem, TodoLists } from './todo-list.ts';
import { decisionsOf, finishedTool, liveDetail, stoppedTool, toolEntry } from './tool-entry.ts';
import type { Entry } from './transcript-entry.ts';
import { endsWait, newRun, type Run, wholeSeconds } from './transcript-run.ts';
import { timeoutOf } from './unanswered.ts';
import { userEntry } from './user-entry.ts';

type EntryOf<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>;

/** Turns events into what a reader sees. Each event costs the same, however long the conversation is. */
export class Transcript {
  private readonly byId = new Map<string, Entry>();
  private run: Run = newRun(0);
  /** The calls that wait for an answer, by the id of their question. */
  private readonly asking = new Map<string, string>();
  /** What the last rewind took away. */
  private cut: { readonly rewindId: string; readonly entries: readonly Entry[] } | undefined;
  private readonly todoLists = new TodoLists();
  private readonly threads = new AgentThreads();
  private givenTitle = '';
  private firstWords = '';

  /** As given, else the first words of the user; empty before they said any. */
  get title(): string {
    return this.givenTitle || this.firstWords;
  }

  get todos(): readonly TodoItem[] {
    return this.todoLists.current((id) => this.byId.has(id));
  }

  get entries(): Entry[] {
    return [...this.byId.values()];
  }

  /** Takes an event in and returns what changed for the reader. */
  apply(event: AgentEvent): TranscriptChange[] {
    if (event.threadId !== undefined) return this.takeFromThread(event.threadId, event);
    const over = endsWait(event) ? this.removeById(this.run.retryId) : [];
    return [...over, ...this.take(event)];
  }

  private take(event: AgentEvent): TranscriptChange[] {
    const at = Date.parse(event.timestamp);
    switch (event.type) {
      case 'agent_start':
        this.run = newRun(at);
        return [];
      case 'message':
        if (event.role === 'developer') return [this.put(hookNote(event))];
        return event.role === 'user' ? this.userSaid(event) : this.agentSaid(event, at);
      case 'session_update':
        this.givenTitle = event.title ?? this.givenTitle;
        return [];
      case 'elicitation_request':
        return this.ask(event);
      case 'elicitation_response':
        return this.answered(event);
      case 'custom':
        return this.takeCustom(event, at);
      case 'tool_request':
        return this.request(event, at);
      case 'tool_update':
        return this.updateTool(event.requestId, event.display);
      case 'tool_response':
        return [this.respond(event, at)];
      case 'usage':
        if (event._meta?.beside) return [];
        // A request repeats the whole history, so the newest count of input is the one that says how full it is.
        this.run.inputTokens = event.inputTokens ?? this.run.inputTokens;
        this.run.outputTokens += event.outputTokens ?? 0;
        this.run.cost = event.cost &&
          this.run.cost && { ...event.cost, amount: this.run.cost.amount + event.cost.amount };
        return [];
      case 'error':
        if (event._meta?.problem?.kind === 'saved-again') {
          return [this.put({ kind: 'note', id: event.id, icon: 'info', text: event._meta.problem.title })];
        }
        return [
          ...(event.fatal ? this.closeWords(at, 'interrupted') : []),
          this.put({ kind: 'problem', id: event.id, problem: shownProblem(event) }),
        ];
      case 'agent_end':
        return this.end(event, at);
      default:
        return [];
    }
  }

  /** A subagent's work is told on the card of its call; what it asks the user stands for itself. */
  private takeFromThread(threadId: string, event: AgentEvent): TranscriptChange[] {
    const callId = this.threads.take(threadId, event);
    const isQuestion = event.type === 'elicitation_request' || event.type === 'elicitation_response';
    const asked = isQuestion ? this.take(event) : [];
    const call = this.byId.get(callId ?? '');
    return call?.kind === 'tool' ? [this.put(this.withAgent(call)), ...asked] : asked;
  }

  private withAgent(tool: EntryOf<'tool'>): EntryOf<'tool'> {
    const agent = this.threads.workOf(tool.id);
    return agent ? { ...tool, agent } : tool;
  }

  private userSaid(event: Extract<AgentEvent, { type: 'message' }>): TranscriptChange[] {
    const entry = userEntry(event);
    this.firstWords ||= entry.text.trim().split('\n', 1)[0]?.slice(0, TITLE_LENGTH) ?? '';
    if (!entry.pending) this.cut = undefined;
    return [this.put(entry)];
  }

  private takeCustom(event: CustomEvent, at: number): TranscriptChange[] {
    switch (event.kind) {
      case 'message_delivered':
        return this.deliver(event.data.messageId);
      case 'message_withdrawn':
        return this.remove(this.entries.filter((entry) => isMessage(entry, event.data.messageId)));
      case 'rewind':
        return this.rewind(event.data.rewindId, event.data.what === 'files' ? undefined : event.data.messageId);
      case 'rewind_undone':
        return this.undoRewind(event.data.rewindId);
      case 'answer_retracted':
        return this.retract(event.data.from);
      case 'command_ended': {
        const note = this.put({ id: event.id, ...endedNote(event.data) });
        return [...this.settleCommand(event.data), note];
      }
      case 'command_lost': {
        const note = this.put({ id: event.id, ...lostNote(event.data) });
        return [...this.settleCommand(event.data), note];
      }
    }
    if (event.kind === 'model_waiting') this.run.retryId = event.id;
    // What comes after a loop is another answer.
    const closed = event.kind === 'loop' ? this.closeWords(at, 'interrupted') : [];
    const entry = customEntry(event);
    return entry ? [...closed, this.put(entry)] : closed;
  }

  private respond(event: ToolResponseEvent, at: number): TranscriptChange {
    const { requestId } = event;
    this.run.toolIds.delete(requestId);
    this.todoLists.take(event);
    const asked = this.byId.get(requestId);
    const since = asked?.kind === 'tool' ? asked.at : undefined;
    const tool = finishedTool(event, finishedCommand(event, this.commandOf(requestId), at));
    this.threads.link(requestId, event.display);
    return this.put(this.withAgent({ ...tool, ...(since !== undefined && { at: since, tookMs: at - since }) }));
  }

  private request(event: ToolRequestEvent, at: number): TranscriptChange[] {
    const { requestId, name, display } = event;
    const entry = { ...toolEntry(requestId, name, display), at };
    const command = typedCommand(event, at);
    // What the user does beside the conversation neither ends what is being said nor ends with it.
    if (command) {
      this.firstWords ||= `!${command.typed}`.split('\n', 1)[0]?.slice(0, TITLE_LENGTH) ?? '';
      return [this.put({ ...entry, command })];
    }
    this.run.toolIds.add(requestId);
    return [...this.closeWords(at, 'done'), this.put(entry)];
  }

  /** A command that nobody waits for. A rewind may have taken its entry away. */
  private settleCommand(data: EndedCommandData | LostCommandData): TranscriptChange[] {
    const tool = this.byId.get(data.callId);
    return tool?.kind === 'tool' ? [this.put(settledCommand(tool, data))] : [];
  }

  private commandOf(callId: string): CommandEntry | undefined {
    const tool = this.byId.get(callId);
    return tool?.kind === 'tool' ? tool.command : undefined;
  }

  /** The message moves to where the agent got it: behind what was said before that. */
  private deliver(messageId: string): TranscriptChange[] {
    const entry = this.entries.find((other) => isMessage(other, messageId));
    if (entry?.kind !== 'user') return [];
    this.cut = undefined;
    const { pending: _, ...delivered } = entry;
    return [...this.remove([entry]), this.put(delivered)];
  }

  private rewind(rewindId: string, messageId: string | undefined): TranscriptChange[] {
    const { entries } = this;
    const at = entries.findIndex((entry) => messageId !== undefined && isMessage(entry, messageId));
    const gone = at < 0 ? [] : entries.slice(at).filter((entry) => !this.outlives(entry, at));
    this.cut = { rewindId, entries: gone };
    return this.remove(gone);
  }

  /** A snapshot of what was said before the message that is left: it is still sent. */
  private outlives(entry: Entry, at: number): boolean {
    if (entry.kind !== 'compacted' || entry.keptFrom === undefined) return false;
    const { keptFrom } = entry;
    const first = this.entries.findIndex((other) => isMessage(other, keptFrom));
    return first >= 0 && first <= at;
  }

  private undoRewind(rewindId: string): TranscriptChange[] {
    const { cut } = this;
    if (cut?.rewindId !== rewindId) return [];
    this.cut = undefined;
    return cut.entries.map((entry) => this.put(entry));
  }

  /** The answer is asked for again: what was said and thought from this event on is gone. */
  private retract(from: string): TranscriptChange[] {
    const { wordIds } = this.run;
    const at = wordIds.indexOf(from);
    this.run.answerId = undefined;
    this.run.thinking = undefined;
    return at < 0 ? [] : this.remove(wordIds.splice(at).flatMap((id) => this.byId.get(id) ?? []));
  }

  private ask(event: ElicitationRequestEvent): TranscriptChange[] {
    const choice = choiceEntry(event);
    if (choice) {
      this.run.choiceId = choice.id;
      return [this.put(choice)];
    }
    const { requestId, title = '', message, requestedSchema, _meta } = event;
    const tool = this.byId.get(_meta?.callId ?? '') ?? this.askedByAgent(event);
    if (tool?.kind !== 'tool') return [];
    this.asking.set(requestId, tool.id);
    const request = _meta?.approval;
    const approval = {
      requestId,
      title,
      message,
      decisions: decisionsOf(requestedSchema),
      ...(request && { request }),
    };
    return [this.put({ ...tool, approval })];
  }

  /** The call of a subagent, which is shown only as long as it waits for an answer. */
  private askedByAgent({ threadId, _meta }: ElicitationRequestEvent): Entry | undefined {
    return threadId === undefined ? undefined : this.threads.callIn(threadId, _meta?.callId ?? '');
  }

  private answered({ requestId, content, threadId }: ElicitationResponseEvent): TranscriptChange[] {
    if (requestId === this.run.choiceId) return this.removeById(requestId);
    const tool = this.byId.get(this.asking.get(requestId) ?? '');
    this.asking.delete(requestId);
    if (tool?.kind !== 'tool') return [];
    if (threadId !== undefined) return this.remove([tool]);
    const { approval: _, ...settled } = tool;
    const minutes = timeoutOf(content);
    return [this.put({ ...settled, ...(minutes !== undefined && { unanswered: { requestId, minutes } }) })];
  }

  private agentSaid(event: Extract<AgentEvent, { type: 'message' }>, at: number): TranscriptChange[] {
    return event.content.flatMap((part) => {
      if (part.type === 'thought') return this.think(event.id, part.thought, at);
      if (part.type === 'text') return this.say(event.id, part.text, at);
      return [];
    });
  }

  private say(id: string, text: string, at: number): TranscriptChange[] {
    if (this.run.answerId !== undefined) return [this.append(this.run.answerId, text)];
    const closed = this.closeThinking(at);
    this.run.answerId = id;
    this.run.wordIds.push(id);
    return [...closed, this.put({ kind: 'answer', id, text, state: 'streaming' })];
  }

  private think(id: string, text: string, at: number): TranscriptChange[] {
    if (this.run.thinking) return [this.append(this.run.thinking.id, text)];
    const closed = this.closeWords(at, 'done');
    this.run.thinking = { id, since: at };
    this.run.wordIds.push(id);
    return [...closed, this.put({ kind: 'thinking', id, text, running: true, seconds: 0 })];
  }

  private updateTool(id: string, display: ToolDisplay | undefined): TranscriptChange[] {
    const tool = this.byId.get(id);
    if (tool?.kind !== 'tool' || tool.status !== 'running') return [];
    const detail = liveDetail(display) ?? tool.detail;
    const command = liveCommand(tool, display);
    const summary = display?.resultSummary ?? tool.summary;
    this.threads.link(id, display);
    return [this.put(this.withAgent({ ...tool, summary, detail, ...(command && { command }) }))];
  }

  private end(event: AgentEndEvent, at: number): TranscriptChange[] {
    const { inputTokens, outputTokens, cost, startedAt, toolIds } = this.run;
    const changes = [
      ...this.closeWords(at, event.reason === 'completed' ? 'done' : 'interrupted'),
      ...this.removeById(this.run.choiceId),
    ];
    for (const id of toolIds) {
      const tool = this.byId.get(id);
      if (tool?.kind === 'tool') changes.push(this.put(stoppedTool(tool)));
    }
    const note = endNote(event);
    if (note) changes.push(this.put({ kind: 'note', id: event.id, ...note }));
    if (inputTokens + outputTokens > 0) {
      const seconds = wholeSeconds(at - startedAt);
      const used = { inputTokens, outputTokens, seconds, ...(cost && { cost }), at };
      changes.push(this.put({ kind: 'usage', id: `${event.id}-usage`, ...used }));
    }
    this.run = newRun(at);
    return changes;
  }

  private closeWords(at: number, state: EntryOf<'answer'>['state']): TranscriptChange[] {
    const changes = this.closeThinking(at);
    const answer = this.byId.get(this.run.answerId ?? '');
    this.run.answerId = undefined;
    if (answer?.kind === 'answer') changes.push(this.put({ ...answer, state }));
    return changes;
  }

  private closeThinking(at: number): TranscriptChange[] {
    const { thinking } = this.run;
    const entry = this.byId.get(thinking?.id ?? '');
    this.run.thinking = undefined;
    if (!thinking || entry?.kind !== 'thinking') return [];
    return [this.put({ ...entry, running: false, seconds: wholeSeconds(at - thinking.since) })];
  }

  private put(entry: Entry): TranscriptChange {
    this.byId.set(entry.id, entry);
    return { op: 'put', entry };
  }

  private remove(entries: readonly Entry[]): TranscriptChange[] {
    for (const { id } of entries) this.byId.delete(id);
    return entries.length === 0 ? [] : [{ op: 'remove', ids: entries.map(({ id }) => id) }];
  }

  private removeById(id: string | undefined): TranscriptChange[] {
    const entry = this.byId.get(id ?? '');
    return entry ? this.remove([entry]) : [];
  }

  private append(id: string, text: string): TranscriptChange {
    const entry = this.byId.get(id);
    if (entry && 'text' in entry) this.byId.set(id, { ...entry, text: entry.text + text });
    return { op: 'append', id, text };
  }
}

const TITLE_LENGTH = 80;

function isMessage(entry: Entry, messageId: string): boolean {
  return entry.kind === 'user' && entry.messageId === messageId;
}
