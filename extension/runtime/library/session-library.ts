import { hostname } from 'node:os';
import { join } from 'node:path';
import { DEEPEST } from '../../agents/agent-tools.ts';
import { isForbidden } from '../../files/error-code.ts';
import type { Host } from '../../ports/host.ts';
import type { AgentEvent } from '../../protocol/agent/agent-event.ts';
import type { Replay } from '../../protocol/transcript/replay.ts';
import { Transcript } from '../../protocol/transcript/transcript.ts';
import { exportReplay } from '../../sessions/export/export-replay.ts';
import { type AgentLog, exportJson, exportMarkdown } from '../../sessions/export/export-session.ts';
import { BlobStore } from '../../sessions/files/blob-store.ts';
import type { SessionHeader, SessionRecord } from '../../sessions/session-record.ts';
import { readLog } from '../../sessions/store/read-log.ts';
import type { LogHit } from '../../sessions/store/search-log.ts';
import { BLOBS_NAME, LOG_NAME, OUTPUTS_NAME, sessionFolder } from '../../sessions/store/session-folder.ts';
import { SessionStore } from '../../sessions/store/session-store.ts';
import type { SessionSummary } from '../../sessions/store/session-summary.ts';
import { inThread } from '../events/event-stream.ts';
import { EventTranslator } from '../events/event-translator.ts';
import { telling, unreadableFolder } from '../problems/session-problems.ts';

export type ExportFormat = 'markdown' | 'json';

export function openLibrary(host: Host, folder: string, secrets: () => Promise<readonly string[]>): SessionLibrary {
  const { sessions, log, clock } = host;
  const store = new SessionStore(folder, { owner: { label: sessions.owner }, log, now: () => clock.now() });
  return new SessionLibrary(store, host, secrets);
}

/** `waits`: a question waits for an answer. `commands`: only commands are running. */
export type SessionActivity = 'waits' | 'running' | 'commands';

/** The stored sessions, open or not. */
export class SessionLibrary {
  private tidying: NodeJS.Timeout | undefined;

  constructor(
    readonly store: SessionStore,
    private readonly host: Host,
    /** Secrets that an export must not contain. */
    private readonly secrets: () => Promise<readonly string[]>,
  ) {}

  /** The sessions of users, without those of subagents, newest first. */
  async list(): Promise<SessionSummary[]> {
    try {
      return (await this.store.list()).filter(({ parent }) => parent === undefined);
    } catch (error) {
      throw isForbidden(error) ? unreadableFolder(this.store.root, error) : error;
    }
  }

  /** The most recently used session of a folder. */
  async latest(workspace: string): Promise<string | undefined> {
    return (await this.list()).find((session) => session.workspace === workspace && !session.problem)?.id;
  }

  /** Whether a process other than these processes of this machine is writing the session. */
  isHeldByOthers(id: string, own: ReadonlySet<number>): boolean {
    const holder = this.store.holderOf(id);
    return holder !== undefined && !(holder.host === hostname() && own.has(holder.pid));
  }

  /** The place where the conversation contains all these words; undefined if the session is unreadable. */
  async find(id: string, words: readonly string[]): Promise<LogHit | undefined> {
    try {
      return await this.store.find(id, words);
    } catch (error) {
      this.host.log.debug(`${id} was not searched: ${String(error)}`);
      return undefined;
    }
  }

  /** Moves the session to the trash. */
  async delete(id: string): Promise<void> {
    await telling(this.store.delete(id));
  }

  async restore(id: string): Promise<void> {
    await telling(this.store.restore(id));
  }

  async export(id: string, format: ExportFormat): Promise<string> {
    const { header, records } = await this.read(id);
    const secrets = await this.secrets();
    const events = eventsOf(header, records, format === 'json' ? NO_THREADS : await this.threadsIn(records));
    const transcript = new Transcript();
    for (const event of events) transcript.apply(event);
    const { title } = transcript;
    if (format === 'json')
      return exportJson({ header, title, records, threads: await this.logsBelow(records) }, secrets);
    return exportMarkdown({ title, workspace: header.workspace, createdAt: header.at, events }, secrets);
  }

  /** The conversation for a file that any browser can show. */
  async replay(id: string): Promise<Replay> {
    return exportReplay(await this.events(id), this.host.clock.now(), await this.secrets());
  }

  /** All events of a session, without opening it. Those of its agents are included. */
  async events(id: string): Promise<readonly AgentEvent[]> {
    const { header, records } = await this.read(id);
    return eventsOf(header, records, settledThreads(await this.threadsIn(records)));
  }

  read(id: string): Promise<{ readonly header: SessionHeader; readonly records: readonly SessionRecord[] }> {
    return telling(readLog(this.logFile(id)));
  }

  /** The log, which holds everything that is stored of the conversation. */
  logFile(id: string): string {
    return join(sessionFolder(this.store.root, id), LOG_NAME);
  }

  /** Events of the agents that worked for these calls, by session id. A deleted agent session has no events. */
  async threadsIn(records: readonly SessionRecord[], deepest = DEEPEST): Promise<Threads> {
    const ids = deepest > 0 ? agentsIn(records) : [];
    const threads = new Map<string, readonly AgentEvent[]>();
    // One after the other: a long conversation has had many agents, and each has a file.
    for (const id of ids) threads.set(id, await this.thread(id, deepest - 1));
    return threads;
  }

  /** The logs of agents that worked for these calls and of agents below them. Each log precedes those below it. */
  private async logsBelow(records: readonly SessionRecord[], deepest = DEEPEST): Promise<AgentLog[]> {
    const logs: AgentLog[] = [];
    for (const id of deepest > 0 ? agentsIn(records) : []) {
      const log = await this.read(id).catch(() => undefined);
      if (log) logs.push(log, ...(await this.logsBelow(log.records, deepest - 1)));
      else logs.push({ missing: id });
    }
    return logs;
  }

  private async thread(id: string, deepest: number): Promise<readonly AgentEvent[]> {
    try {
      const { header, records } = await this.read(id);
      return eventsOf(header, records, await this.threadsIn(records, deepest));
    } catch (error) {
      this.host.log.debug(`What the agent of ${id} did cannot be shown: ${String(error)}`);
      return [];
    }
  }

  blobs(id: string): BlobStore {
    return new BlobStore(join(sessionFolder(this.store.root, id), BLOBS_NAME));
  }

  /** The folder for tool outputs. */
  outputs(id: string): string {
    return join(sessionFolder(this.store.root, id), OUTPUTS_NAME);
  }

  /** Schedules the cleanup. Further calls have no effect. */
  tidyLater(): void {
    this.tidying ??= setTimeout(() => {
      this.tidy().catch((error: unknown) => this.host.log.error('Old sessions were not tidied up', error));
    }, TIDY_AFTER);
    this.tidying.unref();
  }

  dispose(): void {
    clearTimeout(this.tidying);
  }

  /** Moves old sessions to the trash as the settings say, and removes old sessions from the trash. */
  async tidy(): Promise<void> {
    const { days, count } = this.host.settings.retention();
    const now = this.host.clock.now();
    const moved = days + count > 0 ? await this.store.retain({ maxAgeDays: days, maxCount: count, now }) : [];
    const removed = await this.store.emptyTrash(TRASH_DAYS);
    if (moved.length + removed.length === 0) return;
    this.host.log.info(`${moved.length} old sessions went to the trash, ${removed.length} were removed from it.`);
  }
}

type Threads = ReadonlyMap<string, readonly AgentEvent[]>;

const NO_THREADS: Threads = new Map();

function agentsIn(records: readonly SessionRecord[]): string[] {
  return records.flatMap((record) => (record.type === 'agent_started' ? record.sessionId : []));
}

function eventsOf(header: SessionHeader, records: readonly SessionRecord[], threads: Threads): AgentEvent[] {
  const translator = new EventTranslator();
  return [header, ...records].flatMap((record) => {
    const events = translator.translate(record);
    if (record.type !== 'agent_started') return events;
    const { sessionId } = record;
    return [...events, ...(threads.get(sessionId) ?? []).map((event) => inThread(sessionId, event))];
  });
}

/** Late enough not to slow down the first answer. */
const TIDY_AFTER = 10_000;

/** Long enough to notice that a session is missing. */
const TRASH_DAYS = 30;

/**
 * Adds an end to the threads of agents that no longer run. A killed process leaves them without an end, and their
 * questions can only be answered in the agent's own session.
 */
export function settledThreads(threads: Threads): Threads {
  return new Map([...threads].map(([id, events]) => [id, [...events, ...endsOf(events)]]));
}

/** The open questions and the open run of a thread. */
interface Open {
  readonly questions: Map<string, AgentEvent>;
  run?: AgentEvent | undefined;
}

function endsOf(events: readonly AgentEvent[]): AgentEvent[] {
  const threads = new Map<string, Open>();
  for (const event of events) {
    const open = threads.get(event.threadId ?? '') ?? { questions: new Map() };
    threads.set(event.threadId ?? '', open);
    takeIn(open, event);
  }
  // Agents end before the agent they work for.
  return [...threads.values()].reverse().flatMap(({ questions, run }) => [
    ...[...questions].map(([requestId, asked]): AgentEvent => {
      return { ...stampAfter(asked), type: 'elicitation_response', requestId, action: 'cancel', content: {} };
    }),
    ...(run ? [interrupted(run)] : []),
  ]);
}

function takeIn(open: Open, event: AgentEvent): void {
  if (event.type === 'elicitation_request') open.questions.set(event.requestId, event);
  if (event.type === 'elicitation_response') open.questions.delete(event.requestId);
  if (event.type === 'agent_start') open.run = event;
  if (event.type === 'agent_end') open.run = undefined;
}

function interrupted(run: AgentEvent): AgentEvent {
  return { ...stampAfter(run), type: 'agent_end', reason: 'aborted', data: { code: 'INTERRUPTED' } };
}

function stampAfter({
  id,
  streamId,
  timestamp,
  threadId,
}: AgentEvent): Pick<AgentEvent, 'id' | 'streamId' | 'timestamp'> {
  return { id: `${id}-settled`, streamId, timestamp, ...(threadId !== undefined && { threadId }) };
}
