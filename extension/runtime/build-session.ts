import { join } from 'node:path';
import type { Session } from '@google/adk';
import { DiskView } from '../files/disk-view.ts';
import { ClientTools } from '../mcp/client-tools.ts';
import type { McpServers } from '../mcp/mcp-servers.ts';
import { contextWindow } from '../model/catalog/known-models.ts';
import type { FilePort } from '../ports/workspace.ts';
import type { ToolDisplay } from '../protocol/agent/agent-event.ts';
import type { ContextShares } from '../protocol/agent/context-shares.ts';
import type { ToolCall } from '../scheduler/tool-call.ts';
import { type RecordLog, SessionJournal } from '../sessions/session-journal.ts';
import type { SessionHeader } from '../sessions/session-record.ts';
import { OUTPUTS_NAME, sessionFolder } from '../sessions/store/session-folder.ts';
import { SessionSkills } from '../skills/session-skills.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import { AdkAgentProtocol } from './adk/adk-agent-protocol.ts';
import { ADK_KEY, createRunner } from './adk/create-runner.ts';
import { TaskResult } from './agents/run-agent.ts';
import { type AgentStarter, answerAmong, SessionAgents } from './agents/session-agents.ts';
import type { Subagent } from './agents/subagent.ts';
import { SessionCalls } from './calls/session-calls.ts';
import { SessionMcp } from './calls/session-mcp.ts';
import { changedFiles } from './changes/changed-files.ts';
import { PendingChanges } from './changes/pending-changes.ts';
import { type ChangedFiles, SessionRewind } from './changes/session-rewind.ts';
import { SessionCommands } from './commands/session-commands.ts';
import { SessionCompaction } from './compaction/session-compaction.ts';
import { EventStream, SessionWarnings } from './events/event-stream.ts';
import { callTarget, describeCall, eventRecord } from './events/event-translator.ts';
import { SessionStatus } from './events/stoppable-run.ts';
import { createSessionHooks, type SessionHooks } from './hooks/session-hooks.ts';
import { CallTraces } from './knowledge/call-traces.ts';
import { sessionShares } from './knowledge/context-shares.ts';
import { SessionEnvironment } from './knowledge/session-environment.ts';
import { type SessionInstruction, SessionKnowledge, sessionInstruction } from './knowledge/session-knowledge.ts';
import type { SessionLibrary } from './library/session-library.ts';
import { SessionTitle } from './library/session-title.ts';
import { LiveSession } from './live-session.ts';
import { isNamedByUser } from './message/named-by-user.ts';
import { SessionModel } from './model/session-model.ts';
import { plansIn } from './policy/session-mode.ts';
import { createRules, type SessionRules } from './policy/session-rules.ts';
import { LastRequest } from './request/last-request.ts';
import { SavedOutputs } from './request/saved-outputs.ts';
import { SessionContext } from './request/session-context.ts';
import { SessionSecrets } from './request/session-secrets.ts';
import type { SessionOptions, SessionPlan, SharedParts } from './session-parts.ts';
import { createRegistry } from './session-registry.ts';
import { givenServers } from './session-servers.ts';

/** The parts of one session that are not shared with other sessions. */
export interface SessionSeed extends SessionPlan {
  readonly header: SessionHeader;
  readonly log: RecordLog;
  /** Undefined if sessions are not stored. */
  readonly library: Pick<SessionLibrary, 'blobs' | 'store'> | undefined;
  /** Starts agents that work for the session. */
  readonly agents: AgentStarter;
}

/** Builds a session in phases. Each phase is a function of the results of earlier phases. */
export function buildSession(shared: SharedParts, seed: SessionSeed): LiveSession {
  const base = beginSession(shared, seed);
  const { subagent, warnings } = base;
  const leader = (): Pick<SessionRules, 'mode' | 'sandbox'> | undefined =>
    subagent?.leader && { mode: subagent.leader.mode, sandbox: subagent.leader.commands.sandbox };
  const rules = createRules(shared, { ...base, leader, warn: warnings.warn }, seed.options?.approvalMode);
  const model = createModel(shared, base, seed.options);
  const tools = createTools(shared, { ...base, ...rules, ...model }, seed.agents);
  const reports = createReports(shared, { ...base, ...model });
  const calls = createCalls(shared, { ...base, ...rules, ...model, ...tools });
  const changes = createChanges(shared, base);
  const built = { ...base, ...rules, ...model, ...tools, ...reports, ...calls, ...changes };
  const conversation = createConversation(shared, built);
  return new LiveSession({ shared, ...built, ...conversation });
}

/** Phase 1: the log, the files, and the reports to the user. */
interface SessionBase {
  readonly journal: SessionJournal;
  /** The agent whose session it is; undefined for the main agent. */
  readonly subagent: Subagent | undefined;
  /** MCP servers that only this session uses. */
  readonly servers: McpServers | undefined;
  /** The session is shown by another program, which shows no state of servers. */
  readonly hasNoPanel: boolean;
  readonly plansFolder: string | undefined;
  readonly status: SessionStatus;
  readonly stream: EventStream;
  readonly warnings: SessionWarnings;
  readonly outputs: SavedOutputs;
  /** The open files of the editor that shows the session. */
  readonly editor: FilePort;
  readonly files: ChangedFiles;
}

function beginSession(shared: SharedParts, seed: SessionSeed): SessionBase {
  const { host } = shared;
  const { header, log, library, subagent, files, options: { editor = host.files, mcpServers } = {} } = seed;
  const journal = new SessionJournal(header, shared.telemetry.timed(log), host.clock);
  const folder = library && sessionFolder(library.store.root, header.id);
  // The user approves plans of the main agent only.
  const plansFolder = folder === undefined || subagent ? undefined : plansIn(folder);
  const stream = new EventStream(host.clock, host.log);
  const warnings = new SessionWarnings(stream, subagent !== undefined);
  // Whether a tool may write to the plans folder depends on the mode, which is checked before the write.
  const places = { roots: () => [...host.workspace.roots(), ...(plansFolder === undefined ? [] : [plansFolder])] };
  return {
    journal,
    subagent,
    servers: subagent?.servers ?? givenServers(shared, mcpServers),
    hasNoPanel: mcpServers !== undefined,
    plansFolder,
    status: new SessionStatus(),
    stream,
    warnings,
    outputs: new SavedOutputs(folder && join(folder, OUTPUTS_NAME), host.log),
    editor,
    files: files ?? changedFiles(places, editor, { journal, blobs: library?.blobs(header.id), tell: warnings.warn }),
  };
}

/** Phase 3: the model and its context window. */
interface ModelParts {
  readonly model: SessionModel;
  readonly context: SessionContext;
  readonly last: LastRequest;
  readonly secrets: SessionSecrets;
}

function createModel(
  shared: SharedParts,
  { journal, subagent }: SessionBase,
  options: SessionOptions = {},
): ModelParts {
  const { history } = journal;
  const model = new SessionModel(shared, journal, options, subagent);
  return {
    model,
    context: new SessionContext({ history, model: () => model.current, windowOf: contextWindow }),
    last: new LastRequest(shared.host.clock),
    secrets: new SessionSecrets({
      host: shared.host,
      namingKey: shared.namingKey,
      history: () => history.events.flatMap(({ content }) => content ?? []),
    }),
  };
}

/** Phase 4: the agent's tools and knowledge. */
interface SessionTools {
  readonly commands: SessionCommands;
  readonly agents: SessionAgents;
  readonly registry: ToolRegistry;
  readonly knowledge: SessionKnowledge;
  readonly environment: SessionEnvironment;
  readonly instruction: SessionInstruction;
  /** How a call is shown. */
  readonly describe: (call: ToolCall) => ToolDisplay;
}

function createTools(
  shared: SharedParts,
  parts: SessionBase & SessionRules & ModelParts,
  starter: AgentStarter,
): SessionTools {
  const { host, agents: catalog, remoteAgents: remote } = shared;
  const { journal, stream, files, mode, sandbox, model, outputs, status, subagent, servers } = parts;
  const { warn } = parts.warnings;
  const commands = new SessionCommands({
    host,
    shell: shared.shell,
    journal,
    stream,
    outputFolder: outputs.folder,
    audit: shared.audit,
    sandbox,
    protectedWatch: shared.protectedWatch,
    files,
    leading: () => subagent?.leader?.commands,
    heldBy: () => status.heldBy,
  });
  const traces = new CallTraces(journal.history);
  journal.onRecord((record) => traces.take(record));
  const skills = new SessionSkills(shared.skills, {
    isTrusted: () => mode.opened.isTrusted(),
    activated: () => traces.skills,
  });
  const agents = new SessionAgents({ ...starter, catalog, remote, journal, stream, warn, log: host.log });
  const clientTools = new ClientTools(() => journal.history.clientTools);
  const registry = createRegistry(shared, { commands, model, agents, skills, subagent, servers, clientTools });
  const knowledge = new SessionKnowledge({ shared, journal, mode, model, registry, skills, traces, warn, subagent });
  const instruction = sessionInstruction({ knowledge, mode, model, clock: host.clock, subagent });
  const describe = (call: ToolCall): ToolDisplay => describeCall(call, registry, host.workspace);
  const environment = new SessionEnvironment({
    host,
    history: journal.history,
    versions: shared.versions,
    leader: () => subagent?.leader,
  });
  return { commands, agents, registry, knowledge, environment, instruction, describe };
}

/** Phase 5: reactions to each record. */
interface SessionReports {
  /** The result that was handed over, if this is the session of an agent. */
  readonly task: TaskResult;
  readonly title: SessionTitle;
}

function createReports({ host, telemetry }: SharedParts, parts: SessionBase & ModelParts): SessionReports {
  const { journal, stream, status, model } = parts;
  // Before the events, because whoever gets the event of a question may answer it at once.
  telemetry.follow(journal, () => status.isReplaying);
  journal.onRecord((record) => stream.take(record));
  const task = new TaskResult(journal);
  const title = new SessionTitle({ journal, utility: model.utility, model: () => model.name, log: host.log });
  journal.onRecord((record) => {
    if (!status.isReplaying) model.take(record);
    if (host.sessions.interactive && !journal.header.parent) title.take(record, status.isReplaying);
  });
  return { task, title };
}

/** Phase 6: the checks and hooks that a call of the model passes before it runs. */
interface CallParts {
  /** ADK's view of the session. */
  readonly session: Session;
  readonly hooks: SessionHooks;
  readonly mcp: SessionMcp;
  readonly calls: SessionCalls;
  /** Resumes waiting calls that the rules allow by now, also those of agents that work for the session. */
  readonly releaseAllowed: () => void;
}

function createCalls(shared: SharedParts, parts: SessionBase & SessionRules & ModelParts & SessionTools): CallParts {
  const { host, adkSessions, audit } = shared;
  const { journal, stream, editor, files, mode, policy, model, context, secrets, outputs, subagent, servers } = parts;
  const { registry, commands, agents, knowledge, environment, describe, warnings } = parts;
  const session = adkSessions.attach(ADK_KEY, journal, (event) =>
    journal.append(
      eventRecord(event, describe, (call) => callTarget(call, registry, host.workspace.roots()), model.costOf(event)),
    ),
  );
  const hooks = createSessionHooks({
    ...shared,
    plansFolder: mode.plansFolder,
    journal,
    session,
    sessions: adkSessions,
    warn: warnings.warn,
    model: () => model.current,
    end: (end) => parts.status.endRun(end),
  });
  const mcp = new SessionMcp({
    servers: shared.mcp,
    own: servers,
    isOfAgent: !!subagent,
    hasNoPanel: parts.hasNoPanel,
    host,
    warn: warnings.warn,
  });
  const isNamed = (relativePath: string): boolean => {
    // Text that another model wrote does not count as the user's.
    if (subagent) return subagent.leader?.isNamedByUser(relativePath) ?? false;
    return isNamedByUser(journal.history.events, relativePath, host.workspace.roots().length > 1);
  };
  const calls = new SessionCalls({
    host,
    journal,
    stream,
    editor,
    files,
    registry,
    mode,
    policy,
    hooks: hooks.tools,
    secrets,
    audit,
    outputs,
    skillFolders: () => knowledge.skills.readableFolders(),
    tokensLeft: () => context.tokensLeft(),
    isNamedByUser: isNamed,
    reached: (path, file) => knowledge.memory.reached(path, file),
    describe,
    telemetry: shared.telemetry,
    asker: subagent?.asker,
    lostResult: (call) => commands.lostResult(call.id) ?? agents.lostResult(call),
  });
  commands.judgeBy((args) => calls.judgeCommand(args));
  agents.workFor({
    journal,
    mode,
    registry,
    commands,
    environment,
    subagent,
    edits: calls.edits,
    editor,
    interactive: host.sessions.interactive,
    isNamedByUser: isNamed,
    get modelName() {
      return model.name;
    },
    filesFor: (callId) => ({
      ...files,
      write: (path, content, _, change) => files.write(path, content, { callId }, change),
    }),
  });
  const releaseAllowed = (): void => {
    calls.releaseAllowed();
    agents.releaseAllowed();
  };
  return { session, hooks, mcp, calls, releaseAllowed };
}

/** Phase 7: file changes and rewinding them. */
interface ChangeParts {
  readonly rewind: SessionRewind;
  readonly changes: PendingChanges;
}

function createChanges({ host, adkSessions }: SharedParts, base: SessionBase): ChangeParts {
  const { journal, files, status, plansFolder } = base;
  const heldBy = (): string | undefined => status.heldBy;
  const isTrusted = (): boolean => host.workspace.isTrusted();
  const rewind = new SessionRewind(journal, files, {
    isRunning: () => status.isRunning,
    heldBy,
    isTrusted,
    resetState: () => adkSessions.resetState(journal.id),
  });
  const changes = new PendingChanges(journal, files, {
    heldBy,
    rewinding: () => rewind.underWay,
    isTrusted,
    plansFolder,
  });
  return { rewind, changes };
}

/** Phase 8: requests to the model and runs. */
interface Conversation {
  readonly compaction: SessionCompaction;
  readonly protocol: AdkAgentProtocol;
  /** The content of the model's context window, by kind. */
  readonly shares: () => ContextShares;
}

type Built = SessionBase & SessionRules & ModelParts & SessionTools & SessionReports & CallParts & ChangeParts;

function createConversation(shared: SharedParts, built: Built): Conversation {
  const { host, adkSessions } = shared;
  const { journal, stream, status, warnings, mode, model, context, hooks, calls, agents, mcp, subagent } = built;
  const compaction = createCompaction(shared, built);
  const { loops, runner } = createRunner({ shared, ...built, compaction });
  const protocol = new AdkAgentProtocol({
    journal,
    stream,
    status,
    session: built.session,
    sessions: adkSessions,
    runner,
    loops,
    hooks: hooks.run,
    isTaskDone: () => subagent !== undefined && built.task.isThere,
    prepare: async () => {
      warnings.forget();
      const view = new DiskView();
      await Promise.all([
        shared.geminiSettings.refresh(view),
        hooks.run.refresh(view),
        agents.refresh(view),
        mcp.prepare(view),
      ]);
    },
    answer: (answers, by) => answerAmong(calls.broker, agents.brokers, answers, by),
    noteOn: (content) => agents.noteOn(content),
    environment: built.environment,
    notes: () => built.knowledge.notes(),
    scheduler: calls.scheduler,
    broker: calls.broker,
    mode,
    compaction,
    releaseAllowed: built.releaseAllowed,
    limits: () => model.limits(),
    checkMessage: (parts) => context.checkMessage(parts),
    interactive: host.sessions.interactive,
    rewinding: () => built.rewind.underWay,
    clock: host.clock,
    log: host.log,
  });
  const shares = (): ContextShares => sessionShares({ ...built, compaction, instruction: built.instruction.current() });
  return { compaction, protocol, shares };
}

function createCompaction(shared: SharedParts, { journal, model, hooks, stream, outputs }: Built): SessionCompaction {
  return new SessionCompaction({
    journal,
    utility: model.utility,
    files: outputs,
    preCompress: hooks.preCompress,
    model: () => model.current,
    window: () => contextWindow(model.current),
    threshold: () => shared.host.settings.compressionThreshold(),
    tell: (event) => stream.sendTransient(event),
    began: () => shared.telemetry.compacting(journal.id),
    log: shared.host.log,
  });
}
