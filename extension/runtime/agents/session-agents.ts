import * as l10n from '@vscode/l10n';
import type { AgentCatalog } from '../../agents/agent-catalog.ts';
import type { AgentDefinition, RemoteAgent } from '../../agents/agent-definition.ts';
import { onlyReads } from '../../agents/agent-tools.ts';
import type { DiskView } from '../../files/disk-view.ts';
import { namedFailure } from '../../files/file-failure.ts';
import type { Logger } from '../../ports/logger.ts';
import { type ToolResult, toolError } from '../../ports/tool.ts';
import type { FilePort } from '../../ports/workspace.ts';
import type { ElicitationAnswer } from '../../protocol/agent/agent-protocol.ts';
import type { ContentPart } from '../../protocol/agent/content-part.ts';
import type { Problem } from '../../protocol/agent/problem.ts';
import type { Introduction, RemoteAgents } from '../../remote-agents/remote-agents.ts';
import { remoteFailureText } from '../../remote-agents/remote-failure.ts';
import type { AskedQuestion, ConfirmationBroker } from '../../scheduler/confirmation-broker.ts';
import type { ToolCall } from '../../scheduler/tool-call.ts';
import type { SessionJournal } from '../../sessions/session-journal.ts';
import type { RecordOf, SessionRecord } from '../../sessions/session-record.ts';
import type { AgentCallContext, AgentIntroduction, AgentsPort } from '../../tools/conversation/invoke-agent.ts';
import type { EditReview } from '../calls/edit-review.ts';
import type { ChangedFiles } from '../changes/session-rewind.ts';
import type { EventStream } from '../events/event-stream.ts';
import { agentProblems } from '../problems/file-problems.ts';
import type { AgentOutcome } from './run-agent.ts';
import type { Leader } from './subagent.ts';

/** The part of an agent's session that its leader uses. */
export interface ChildSession {
  readonly journal: SessionJournal;
  readonly questions: readonly AskedQuestion[];
  /** Absent for an agent that changes no files here. */
  readonly edits?: EditReview;
  /** Whether a call of its own is running. */
  readonly isExecuting: boolean;
  /** The broker of the session, and those of agents below it. */
  readonly brokers: readonly ConfirmationBroker[];
  /** Also sends all of its events to another stream. Returns a function that ends this. */
  projectInto(stream: EventStream): () => void;
  releaseAllowed(): void;
}

/** An agent that works for a call, here or elsewhere. */
export interface StartedAgent {
  readonly session: ChildSession;
  /** Gives it the task, and waits for its report. Stops when the signal is aborted. */
  work(prompt: string, signal: AbortSignal): Promise<AgentOutcome>;
  end(): Promise<void>;
}

/** The part of a leader that the sessions of its agents are built with. */
export interface LeadingSession extends Leader {
  readonly journal: SessionJournal;
  readonly edits: EditReview;
  /** The open files of the editor that shows the session. */
  readonly editor: FilePort;
  /** Whether somebody can answer its questions. */
  readonly interactive: boolean;
  /** The name of the model for the next request, as it was chosen. */
  readonly modelName: string;
  /**
   * Attributes files that an agent changes to the call it works for: they are reviewed and restored in this session.
   */
  filesFor(callId: string): ChangedFiles;
}

/** Starts the sessions of agents. */
export interface AgentStarter {
  start(leader: LeadingSession, definition: AgentDefinition, callId: string): StartedAgent;
  /** What became of the task of a remote agent that outlived the process, by the id of its session. */
  outcomeOf(sessionId: string, definition: RemoteAgent): Promise<AgentOutcome>;
}

export interface SessionAgentsParts extends AgentStarter {
  readonly catalog: AgentCatalog;
  readonly remote: RemoteAgents;
  readonly journal: SessionJournal;
  readonly stream: EventStream;
  readonly warn: (problem: Problem) => void;
  readonly log: Logger;
}

/** More than a sensible plan needs. Without a limit, a confused model could start hundreds with one answer. */
const MOST_AT_ONCE = 32;

/** The agents that a session can hand tasks to, and the agents that are working for it. */
export class SessionAgents implements AgentsPort {
  private readonly working = new Map<string, ChildSession>();
  private leader: LeadingSession | undefined;

  /** The sessions of agents, by the calls that they work for. */
  private readonly sessions = new Map<string, string>();

  constructor(private readonly parts: SessionAgentsParts) {
    parts.journal.onRecord((record) => {
      if (record.type === 'agent_started') this.sessions.set(record.callId, record.sessionId);
    });
  }

  /**
   * Sets the leader of the agents. An agent gets tools of its leader, and one of those tools starts agents, so the
   * leader is set after its tools exist. Nothing calls the tools earlier.
   */
  workFor(leader: LeadingSession): void {
    this.leader = leader;
  }

  available(): readonly AgentDefinition[] {
    return this.parts.catalog.agents();
  }

  onlyReads(name: string): boolean {
    const definition = this.parts.catalog.agent(name);
    if (!definition || !this.leader) return false;
    return definition.kind === 'local' && onlyReads(definition, this.leader.registry.all);
  }

  needsConsent(name: string): boolean {
    return this.parts.remote.needsConsent(name);
  }

  async introduce(name: string, context: AgentCallContext): Promise<AgentIntroduction | undefined> {
    const definition = this.parts.catalog.agent(name);
    if (definition?.kind !== 'remote') return undefined;
    try {
      return { text: introductionOf(await this.parts.remote.introduce(definition, context)) };
    } catch (error) {
      const why = `The remote agent ${name} cannot be used. ${remoteFailureText(error)}`;
      return { failed: toolError('execution_failed', why) };
    }
  }

  get questions(): readonly AskedQuestion[] {
    return [...this.working.values()].flatMap(({ questions }) => questions);
  }

  get brokers(): readonly ConfirmationBroker[] {
    return [...this.working.values()].flatMap(({ brokers }) => brokers);
  }

  /** Whether an agent works that doesn't wait for an answer. */
  get isExecuting(): boolean {
    return [...this.working.values()].some(({ questions, isExecuting }) => questions.length === 0 || isExecuting);
  }

  releaseAllowed(): void {
    for (const child of this.working.values()) child.releaseAllowed();
  }

  /** A note for the model about agents that the message mentions. */
  noteOn(content: readonly ContentPart[]): string | undefined {
    if (!this.leader?.registry.get('invoke_agent')) return undefined;
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    return text.includes('@') ? noteOnMentioned(text, this.available()) : undefined;
  }

  /** Reads the agents again, because files may have changed since the last run. Never rejects. */
  async refresh(view: DiskView): Promise<void> {
    const { catalog, warn, log } = this.parts;
    try {
      await catalog.refresh(view);
      for (const problem of agentProblems(catalog.takeNews())) warn(problem);
    } catch (error) {
      log.error('The agents could not be read', error);
    }
  }

  async run(name: string, prompt: string, { callId, signal }: AgentCallContext): Promise<ToolResult> {
    const definition = this.parts.catalog.agent(name);
    const { leader } = this;
    if (!definition || !leader) return toolError('execution_failed', `The agent ${name} is not there any more.`);
    if (this.working.size >= MOST_AT_ONCE) {
      const text = `${MOST_AT_ONCE} agents work already, and no more at once. Wait for their reports first.`;
      return toolError('execution_failed', text);
    }
    const agent = this.parts.start(leader, definition, callId);
    const { session } = agent;
    const detach = this.attach(callId, session, leader);
    try {
      return resultOf(name, await agent.work(prompt, signal), session.journal.id);
    } catch (error) {
      this.parts.log.error(`The agent ${name} failed`, error);
      const why = namedFailure(error);
      return resultOf(name, { kind: 'failed', why }, session.journal.id);
    } finally {
      detach();
      await agent.end().catch((error: unknown) => this.parts.log.error(`${name} was not closed`, error));
    }
  }

  /** The result of a call whose agent went on elsewhere while Gantry was closed. */
  lostResult({ id, args }: ToolCall): Promise<ToolResult> | undefined {
    const sessionId = this.sessions.get(id);
    const definition = this.parts.catalog.agent(String(args['agent_name']));
    if (sessionId === undefined || definition?.kind !== 'remote') return undefined;
    return this.parts.outcomeOf(sessionId, definition).then((outcome) => resultOf(definition.name, outcome, sessionId));
  }

  /** Makes the agent's session part of this session. Returns a function that ends this. */
  private attach(callId: string, child: ChildSession, leader: LeadingSession): () => void {
    const { journal, stream } = this.parts;
    const usage = new AgentUsage();
    this.working.set(callId, child);
    journal.append({ type: 'agent_started', callId, sessionId: child.journal.id });
    child.journal.onRecord((record) => {
      if (this.working.get(callId) !== child) return;
      usage.take(record);
      this.followQuestions(record);
    });
    const undo = [child.projectInto(stream), ...(child.edits ? [leader.edits.include(child.edits)] : [])];
    return () => {
      this.working.delete(callId);
      for (const end of undo) end();
      if (!journal.isClosed) for (const used of usage.all) journal.append(used);
    };
  }

  /** Pauses the clock of this session too while an agent waits for the user. */
  private followQuestions(record: SessionRecord): void {
    const { journal } = this.parts;
    if (record.type !== 'asked' && record.type !== 'answered' && record.type !== 'agent_waits') return;
    const over = record.type === 'agent_waits' ? record.over : record.type === 'answered';
    journal.append({ type: 'agent_waits', requestId: record.requestId, over });
  }
}

function resultOf(name: string, outcome: AgentOutcome, threadId: string): ToolResult {
  const result = { type: 'agent', threadId } as const;
  switch (outcome.kind) {
    case 'done':
      return {
        content: `The agent ${name} is done. Its report:\n\n${outcome.report}`,
        display: { result, resultSummary: l10n.t('done') },
      };
    case 'stopped':
      return {
        ...toolError('cancelled', `Cancelled: the agent ${name} was stopped before it was done.`),
        display: { result },
      };
    case 'unfinished': {
      const text = `The agent ${name} handed over no result: ${outcome.why}. A part of the task may have been done.`;
      return { ...toolError('execution_failed', text), display: { result, resultSummary: l10n.t('no result') } };
    }
    case 'failed': {
      const text = `The agent ${name} failed: ${outcome.why} A part of the task may have been done.`;
      return { ...toolError('execution_failed', text), display: { result, resultSummary: l10n.t('failed') } };
    }
  }
}

type Usage = Omit<RecordOf<'usage'>, 'at'>;

/** Sums up what an agent uses, by model. It counts toward the session that the agent works for. */
class AgentUsage {
  private readonly byModel = new Map<string, Usage>();

  get all(): readonly Usage[] {
    return [...this.byModel.values()];
  }

  take(record: SessionRecord): void {
    if (record.type === 'usage') this.add(record);
    if (record.type !== 'event' || !record.event.usageMetadata) return;
    const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount, cachedContentTokenCount } =
      record.event.usageMetadata;
    this.add({
      type: 'usage',
      model: record.event.modelVersion ?? 'unknown',
      inputTokens: promptTokenCount ?? 0,
      outputTokens: (candidatesTokenCount ?? 0) + (thoughtsTokenCount ?? 0),
      cachedTokens: cachedContentTokenCount ?? 0,
      cost: record.cost,
    });
  }

  private add({ model, inputTokens = 0, outputTokens = 0, cachedTokens = 0, cost }: Usage): void {
    const before = this.byModel.get(model);
    const amount = (before?.cost?.amount ?? 0) + (cost?.amount ?? 0);
    const currency = cost?.currency ?? before?.cost?.currency;
    this.byModel.set(model, {
      type: 'usage',
      model,
      inputTokens: (before?.inputTokens ?? 0) + inputTokens,
      outputTokens: (before?.outputTokens ?? 0) + outputTokens,
      cachedTokens: (before?.cachedTokens ?? 0) + cachedTokens,
      ...(currency !== undefined && { cost: { amount, currency } }),
    });
  }
}

/** A note for the model about agents that the user mentions as `@name`; undefined if the message mentions none. */
export function noteOnMentioned(text: string, agents: readonly { readonly name: string }[]): string | undefined {
  const words = new Set([...text.matchAll(/(?<![\w@.-])@([a-z0-9_-]+)(?![\w/-]|\.\w)/g)].map(([, name]) => name));
  const named = agents.flatMap(({ name }) => (words.has(name) ? name : []));
  if (named.length === 0) return undefined;
  const which = named.length === 1 ? `the agent ${named[0]}` : `these agents: ${named.join(', ')}`;
  return `<system_note>With the @ in the message the user chose ${which}. Hand the task over with invoke_agent.</system_note>`;
}

/** Answers questions of a session and of the agents below it. If one answer is invalid, none is applied. */
export function answerAmong(
  own: ConfirmationBroker,
  others: readonly ConfirmationBroker[],
  answers: readonly ElicitationAnswer[],
  by: string,
): void {
  const ownerOf = ({ requestId }: ElicitationAnswer): ConfirmationBroker =>
    others.find((broker) => broker.isWaiting(requestId)) ?? own;
  const shares = new Map<ConfirmationBroker, ElicitationAnswer[]>();
  for (const answer of answers) {
    const owner = ownerOf(answer);
    shares.set(owner, [...(shares.get(owner) ?? []), answer]);
  }
  for (const [broker, share] of shares) broker.verify(share);
  for (const [broker, share] of shares) broker.answer(share, by);
}

/** What the question about a call says about a remote agent. */
function introductionOf({ url, provider, hasChanged }: Introduction): string {
  const where =
    provider === undefined
      ? l10n.t('This task is sent to the remote agent at {0}.', url)
      : l10n.t('This task is sent to the remote agent at {0} ({1}).', url, provider);
  return hasChanged ? `${where} ${l10n.t('Its agent card has changed since you agreed to it.')}` : where;
}
