import type {
  AgentEndEvent,
  AgentEvent,
  CustomEvent,
  ElicitationRequestEvent,
  ElicitationResponseEvent,
  EndedCommandData,
  LostCommandData,
  PutBackData,
  ToolDisplay,
  ToolRequestEvent,
  ToolResponseEvent,
} from '../agent/agent-event.ts';
import { type TodoItem, TodoLists } from '../agent/todo-list.ts';
import { AgentThreads, type Thread } from './agent-threads.ts';
import { AgentWords, wholeSeconds } from './agent-words.ts';
import {
  allowedSince,
  type CommandEntry,
  endedNote,
  finishedCommand,
  liveCommand,
  lostNote,
  settledCommand,
  typedCommandEntry,
} from './command-entry.ts';
import { customEntry, shownProblem, userEntry } from './event-entries.ts';
import { ModeModelNotes } from './mode-model-notes.ts';
import { choiceEntry } from './model-entry.ts';
import { endNote, hookNote, timeoutOf } from './notes.ts';
import { afterPutBack } from './protected-entry.ts';
import { decisionsOf, finishedTool, liveDetail, stoppedTool, toolEntry } from './tool-entry.ts';
import { isMessageEntry, RewoundEntries, TranscriptEntries } from './transcript-entries.ts';
import type { Entry, TranscriptChange } from './transcript-entry.ts';

type EntryOf<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>;

/** The open entries and the usage of the current run. */
interface Run {
  readonly isOn: boolean;
  readonly startedAt: number;
  readonly words: AgentWords;
  readonly toolIds: Set<string>;
  /** The entry of the current wait for the model. */
  retryId?: string | undefined;
  /** The pending question about the model. */
  choiceId?: string | undefined;
  inputTokens: number;
  outputTokens: number;
  /** Undefined once the price of a request is unknown. */
  cost: EntryOf<'usage'>['cost'];
}

/** Converts events to displayed entries. Each event costs the same, however long the conversation is. */
export class Transcript {
  private readonly shown = new TranscriptEntries();
  private run: Run = this.newRun(0);
  /** The calls that wait for an answer, by the id of their question. */
  private readonly asking = new Map<string, string>();
  private readonly rewound = new RewoundEntries(this.shown);
  private readonly todoLists = new TodoLists();
  private readonly switches = new ModeModelNotes(this.shown, (name) => this.runs(name));
  private readonly threads = new AgentThreads(() => new Transcript());
  private givenTitle = '';
  private firstWords = '';

  /** The given title, or the beginning of the user's first message; empty before the first message. */
  get title(): string {
    return this.givenTitle || this.firstWords;
  }

  get todos(): readonly TodoItem[] {
    return this.todoLists.current((id) => this.shown.get(id) !== undefined);
  }

  get entries(): Entry[] {
    return this.shown.all;
  }

  entry(id: string): Entry | undefined {
    return this.shown.get(id);
  }

  /** The whole thread of a subagent; undefined if no thread with this id was started. */
  thread(threadId: string): Thread | undefined {
    return this.threads.thread(threadId);
  }

  hasBegun(threadId: string): boolean {
    return this.threads.hasBegun(threadId);
  }

  /** Applies an event and returns the changes to the displayed entries. */
  apply(event: AgentEvent): TranscriptChange[] {
    if (event.threadId !== undefined) return this.takeFromThread(event.threadId, event);
    const over = endsWait(event) ? this.shown.removeById(this.run.retryId) : [];
    return [...over, ...this.take(event)];
  }

  private take(event: AgentEvent): TranscriptChange[] {
    const at = Date.parse(event.timestamp);
    switch (event.type) {
      case 'agent_start':
        this.run = { ...this.newRun(at), isOn: true };
        return [];
      case 'message':
        if (event.role === 'developer') return [this.shown.put(hookNote(event))];
        return event.role === 'user' ? this.userSaid(event) : this.run.words.take(event, at);
      case 'session_update':
        this.givenTitle = event.title ?? this.givenTitle;
        return this.switches.take(event);
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
        // A request repeats the whole history, so the latest input count tells how full the window is.
        this.run.inputTokens = event.inputTokens ?? this.run.inputTokens;
        this.run.outputTokens += event.outputTokens ?? 0;
        this.run.cost = event.cost &&
          this.run.cost && { ...event.cost, amount: this.run.cost.amount + event.cost.amount };
        return [];
      case 'error':
        if (event._meta?.problem?.kind === 'saved-again') {
          return [this.shown.put({ kind: 'note', id: event.id, icon: 'info', text: event._meta.problem.title })];
        }
        return [
          ...(event.fatal ? this.run.words.close(at, 'interrupted') : []),
          this.shown.put({ kind: 'problem', id: event.id, problem: shownProblem(event) }),
        ];
      case 'agent_end':
        return this.end(event, at);
      default:
        return [];
    }
  }

  /** Shows a subagent's work on the card of its call. Its questions to the user are separate entries. */
  private takeFromThread(threadId: string, event: AgentEvent): TranscriptChange[] {
    const callId = this.threads.take(threadId, event);
    const isQuestion = event.type === 'elicitation_request' || event.type === 'elicitation_response';
    const asked = isQuestion ? this.take(event) : [];
    const call = this.shown.get(callId);
    return call?.kind === 'tool' ? [this.shown.put(this.withAgent(call)), ...asked] : asked;
  }

  private withAgent(tool: EntryOf<'tool'>): EntryOf<'tool'> {
    const agent = this.threads.workOf(tool.id);
    return agent ? { ...tool, agent } : tool;
  }

  private userSaid(event: Extract<AgentEvent, { type: 'message' }>): TranscriptChange[] {
    const entry = userEntry(event);
    this.firstWords ||= entry.text.trim().split('\n', 1)[0]?.slice(0, TITLE_LENGTH) ?? '';
    if (!entry.pending) this.rewound.forget();
    return [this.shown.put(entry)];
  }

  private takeCustom(event: CustomEvent, at: number): TranscriptChange[] {
    switch (event.kind) {
      case 'message_delivered':
        return this.deliver(event.data.messageId);
      case 'message_withdrawn':
        return this.shown.remove(this.entries.filter((entry) => isMessageEntry(entry, event.data.messageId)));
      case 'rewind':
        return this.rewound.rewind(event.data.rewindId, event.data.what === 'files' ? undefined : event.data.messageId);
      case 'rewind_undone':
        return this.rewound.undo(event.data.rewindId);
      case 'answer_retracted':
        return this.run.words.retract(event.data.from);
      case 'command_ended': {
        const note = this.shown.put({ id: event.id, ...endedNote(event.data) });
        return [...this.settleCommand(event.data), note];
      }
      case 'protected_put_back':
        return this.putBack(event.data);
      case 'command_lost': {
        const note = this.shown.put({ id: event.id, ...lostNote(event.data) });
        return [...this.settleCommand(event.data), note];
      }
      case 'sandbox_allowed': {
        const tool = this.shown.get(event.data.callId);
        return tool?.kind === 'tool' ? [this.shown.put(allowedSince(tool, event.data))] : [];
      }
    }
    if (event.kind === 'model_waiting') this.run.retryId = event.id;
    // Text after a loop belongs to a new answer.
    const closed = event.kind === 'loop' ? this.run.words.close(at, 'interrupted') : [];
    if (event.kind === 'model_switched') closed.push(...this.switches.explained());
    const entry = customEntry(event);
    return entry ? [...closed, this.shown.put(entry)] : closed;
  }

  private respond(event: ToolResponseEvent, at: number): TranscriptChange {
    const { requestId } = event;
    this.run.toolIds.delete(requestId);
    this.todoLists.take(event);
    const asked = this.shown.get(requestId);
    const since = asked?.kind === 'tool' ? asked.at : undefined;
    const tool = finishedTool(event, finishedCommand(event, this.commandOf(requestId), at));
    this.threads.link(requestId, event.display);
    return this.shown.put(this.withAgent({ ...tool, ...(since !== undefined && { at: since, tookMs: at - since }) }));
  }

  private request(event: ToolRequestEvent, at: number): TranscriptChange[] {
    const { requestId, name, display } = event;
    const entry = { ...toolEntry(requestId, name, display), at };
    const command = typedCommandEntry(event, at);
    // A command that the user typed is independent of the run: it neither ends the current answer nor ends with it.
    if (command) {
      this.firstWords ||= `!${command.typed}`.split('\n', 1)[0]?.slice(0, TITLE_LENGTH) ?? '';
      return [this.shown.put({ ...entry, command })];
    }
    this.run.toolIds.add(requestId);
    return [...this.run.words.close(at, 'done'), this.shown.put(entry)];
  }

  /** Updates a command that no call waits for. A rewind may have removed its entry. */
  private settleCommand(data: EndedCommandData | LostCommandData): TranscriptChange[] {
    const tool = this.shown.get(data.callId);
    return tool?.kind === 'tool' ? [this.shown.put(settledCommand(tool, data))] : [];
  }

  private putBack(data: PutBackData): TranscriptChange[] {
    const entry = this.entries.find((other) => other.kind === 'protected' && other.change === data.id);
    return entry?.kind === 'protected' ? [this.shown.put(afterPutBack(entry, data))] : [];
  }

  private commandOf(callId: string): CommandEntry | undefined {
    const tool = this.shown.get(callId);
    return tool?.kind === 'tool' ? tool.command : undefined;
  }

  /** Moves the message to where the agent received it: after everything said before. */
  private deliver(messageId: string): TranscriptChange[] {
    const entry = this.entries.find((other) => isMessageEntry(other, messageId));
    if (entry?.kind !== 'user') return [];
    this.rewound.forget();
    const { pending, ...delivered } = entry;
    // A message that was too late for its run starts a run of its own.
    const steered = pending === 'steer' && this.run.isOn;
    return [...this.shown.remove([entry]), this.shown.put({ ...delivered, ...(steered && { steered }) })];
  }

  private ask(event: ElicitationRequestEvent): TranscriptChange[] {
    const choice = choiceEntry(event);
    if (choice) {
      this.run.choiceId = choice.id;
      return [this.shown.put(choice)];
    }
    const { requestId, title = '', message, requestedSchema, _meta } = event;
    const tool = this.shown.get(_meta?.callId) ?? this.askedByAgent(event);
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
    return [this.shown.put({ ...tool, approval })];
  }

  /** The call of a subagent, which is displayed only while it waits for an answer. */
  private askedByAgent({ threadId, _meta }: ElicitationRequestEvent): Entry | undefined {
    return threadId === undefined ? undefined : this.threads.callIn(threadId, _meta?.callId ?? '');
  }

  private answered({ requestId, content, threadId }: ElicitationResponseEvent): TranscriptChange[] {
    if (requestId === this.run.choiceId) return this.shown.removeById(requestId);
    const tool = this.shown.get(this.asking.get(requestId));
    this.asking.delete(requestId);
    if (tool?.kind !== 'tool') return [];
    if (threadId !== undefined) return this.shown.remove([tool]);
    const { approval: _, ...settled } = tool;
    const minutes = timeoutOf(content);
    return [this.shown.put({ ...settled, ...(minutes !== undefined && { unanswered: { requestId, minutes } }) })];
  }

  private updateTool(id: string, display: ToolDisplay | undefined): TranscriptChange[] {
    const tool = this.shown.get(id);
    if (tool?.kind !== 'tool' || tool.status !== 'running') return [];
    const detail = liveDetail(display) ?? tool.detail;
    const command = liveCommand(tool, display);
    const summary = display?.resultSummary ?? tool.summary;
    this.threads.link(id, display);
    return [this.shown.put(this.withAgent({ ...tool, summary, detail, ...(command && { command }) }))];
  }

  private end(event: AgentEndEvent, at: number): TranscriptChange[] {
    const { inputTokens, outputTokens, cost, startedAt, toolIds } = this.run;
    const changes = [
      ...this.run.words.close(at, event.reason === 'completed' ? 'done' : 'interrupted'),
      ...this.shown.removeById(this.run.choiceId),
    ];
    for (const id of toolIds) {
      const tool = this.shown.get(id);
      if (tool?.kind === 'tool') changes.push(this.shown.put(stoppedTool(tool)));
    }
    const note = endNote(event);
    if (note) changes.push(this.shown.put({ kind: 'note', id: event.id, ...note }));
    if (inputTokens + outputTokens > 0) {
      const seconds = wholeSeconds(at - startedAt);
      const used = { inputTokens, outputTokens, seconds, ...(cost && { cost }), at };
      changes.push(this.shown.put({ kind: 'usage', id: `${event.id}-usage`, ...used }));
    }
    this.run = this.newRun(at);
    return changes;
  }

  /** Whether a call of this tool is running. */
  private runs(name: string): boolean {
    return [...this.run.toolIds].some((id) => {
      const tool = this.shown.get(id);
      return tool?.kind === 'tool' && tool.name === name;
    });
  }

  private newRun(startedAt: number): Run {
    const words = new AgentWords(this.shown);
    return { isOn: false, startedAt, words, toolIds: new Set(), inputTokens: 0, outputTokens: 0, cost: { amount: 0 } };
  }
}

const TITLE_LENGTH = 80;

/** Whether the event ends a wait for the model. Unrelated events, such as a new title, do not. */
function endsWait(event: AgentEvent): boolean {
  switch (event.type) {
    case 'message':
      return event.role === 'agent';
    case 'error':
      return event.fatal;
    case 'custom':
      return event.kind === 'model_waiting' || event.kind === 'model_switched';
    default:
      return ['tool_request', 'elicitation_request', 'agent_end'].includes(event.type);
  }
}
