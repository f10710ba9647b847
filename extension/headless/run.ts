import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { GeminiSettings } from '../gemini-config/gemini-settings.ts';
import { checkRecord } from '../model/recorded/record-file.ts';
import type { Host } from '../ports/host.ts';
import type { AgentEvent } from '../protocol/agent/agent-event.ts';
import type { AgentSend } from '../protocol/agent/agent-protocol.ts';
import type { AgentSession } from '../protocol/agent/agent-session.ts';
import { isCompressCommand } from '../protocol/agent/compaction.ts';
import { type ContentPart, textPart } from '../protocol/agent/content-part.ts';
import { ProblemError } from '../protocol/agent/problem.ts';
import type { AgentService } from '../runtime/agent-service.ts';
import type { RunArguments } from './arguments.ts';
import { checkPolicies, requireModel, requireSandbox, requireTelemetry } from './checks.ts';
import { type ExitCode, exitCodeOfRun } from './exit-code.ts';
import { createHeadlessHost, requireFolder, workspacePath } from './headless-host.ts';
import { loadRuntime } from './later-bundles.ts';
import { fallbackNote, noteOf, trustNote } from './notes.ts';
import { createOutput } from './output.ts';
import { interruptedEvent, invalidArgument, refusalEvent, thrownProblem } from './problem-of.ts';
import { type GivenPrompt, readPrompt, type Stdin } from './prompt.ts';
import { summarize } from './run-summary.ts';
import type { Sink } from './sink.ts';

export interface RunSurroundings {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder of assets that ship next to the bundles. */
  readonly assets: string;
  readonly stdin: Stdin;
  readonly stdout: Sink;
  readonly isTerminal: boolean;
  readonly note: (text: string) => void;
  readonly interrupted: AbortSignal;
  readonly ownsProcess?: boolean;
}

/** Sends the prompt and prints the events. */
export async function run(args: RunArguments, surroundings: RunSurroundings): Promise<ExitCode> {
  const { stdout, note, interrupted } = surroundings;
  const workspace = workspacePath(surroundings.cwd, args.workspace);
  let unused = 0;
  const onReplayed = (left: number): void => {
    unused = left;
  };
  let geminiSettings: GeminiSettings | undefined;
  const onSettings = (settings: GeminiSettings): void => {
    geminiSettings = settings;
  };
  const host = createHost(args, workspace, () => geminiSettings, surroundings, onReplayed);
  const output = createOutput(args.output, surroundings);
  const events: AgentEvent[] = [];
  let earlier: readonly AgentEvent[] = [];
  let written = Promise.resolve();
  const told: string[] = [];
  const print = async (event: AgentEvent): Promise<void> => {
    await output.event(event);
    const text = noteOf(event, events);
    // The session may report problems of the rules too, once they are used.
    if (text !== undefined && !stdout.closed.aborted && !told.some((line) => text.includes(line))) note(text);
  };
  const onRules = (lines: readonly string[]): void => {
    told.push(...lines);
    for (const line of lines) note(line);
  };
  const onOpened = (session: AgentSession): void => {
    earlier = [...session.events];
  };
  const onEvent = (event: AgentEvent): void => {
    events.push(event);
    written = written.then(() => print(event));
  };

  try {
    await ask({ args, surroundings, workspace, host, onSettings, onRules, onOpened, onEvent });
  } catch (error) {
    const now = new Date(host.clock.now());
    const problem = thrownProblem(error);
    if (!interrupted.aborted) host.log.error(problem.title, error);
    onEvent(interrupted.aborted ? interruptedEvent(now) : refusalEvent(problem, now));
  }
  await written;
  const summary = summarize(events, earlier);
  await output.end(summary);
  const hints = [
    args.trust ? undefined : trustNote(events),
    host.settings.keepsModel?.() ? fallbackNote(events) : undefined,
    unused > 0 ? `${unused} of the recorded answers were not used.` : undefined,
  ];
  for (const hint of hints) if (hint !== undefined) note(hint);
  return exitCodeOfRun(summary.exitReason, summary.error?.kind);
}

interface Question {
  readonly args: RunArguments;
  readonly surroundings: RunSurroundings;
  readonly workspace: string;
  readonly host: Host;
  readonly onSettings: (settings: GeminiSettings) => void;
  /** Receives a line for each problem of the rules. */
  readonly onRules: (lines: readonly string[]) => void;
  readonly onOpened: (session: AgentSession) => void;
  readonly onEvent: (event: AgentEvent) => void;
}

async function ask(question: Question): Promise<void> {
  const { args, surroundings, workspace, host, onRules, onOpened, onEvent } = question;
  const { stdin, stdout, note, interrupted } = surroundings;
  const { resume } = args;
  await requireFolder(workspace);
  if (host.recorded?.record !== undefined) await checkRecord(host.recorded.record);
  // Read piped input while the runtime is loading.
  const reading = readPrompt({ flag: args.prompt, stdin, interrupted, note });
  const loading = startService(question);
  loading.catch(() => undefined);
  const prompt = await reading;
  const service = await loading;
  try {
    if (!prompt && resume === undefined) {
      throw invalidArgument('There is no prompt', 'Give one with -p "…", or pipe it in. See --help.');
    }
    await requireModel(host);
    await requireSandbox(args, service);
    requireTelemetry(host);
    onRules(await checkPolicies(service, host.settings.policyPaths()));
    const session = await (resume === undefined ? service.createSession() : resumeSession(service, resume, workspace));
    onOpened(session);
    const stop = AbortSignal.any([interrupted, stdout.closed]);
    stop.throwIfAborted();
    const payload = await payloadOf(prompt ?? {}, { service, session, stop, note });
    const onStopFailed = (error: unknown): void => host.log.error('The run could not be stopped', error);
    await converse({ session, payload, stop, onEvent, onStopFailed });
  } finally {
    await service.dispose();
  }
}

/** Reads the settings with the code of the runtime, and reports those that don't apply. */
async function startService({ host, surroundings, onSettings }: Question): Promise<AgentService> {
  const { createAgentService, readGeminiSettings } = await loadRuntime();
  const { workspace, environment } = host;
  onSettings(await readGeminiSettings({ workspace, environment, home: homedir(), report: surroundings.note }));
  return createAgentService(host);
}

function createHost(
  args: RunArguments,
  workspace: string,
  geminiSettings: () => GeminiSettings | undefined,
  { cwd, environment, assets, note, ownsProcess }: RunSurroundings,
  onReplayed: (left: number) => void,
): Host {
  return createHeadlessHost({
    workspace,
    trusted: args.trust,
    model: args.model,
    fallback: args.fallback,
    maxTurns: args.maxTurns,
    approvalMode: args.approvalMode,
    sandbox: args.sandbox,
    sandboxNetwork: args.sandboxNetwork,
    policies: args.policies.map((path) => resolve(cwd, path)),
    otlp: args.otlp,
    recorded: {
      ...(args.replay !== undefined && { replay: resolve(cwd, args.replay), onReplayed }),
      ...(args.record !== undefined && { record: resolve(cwd, args.record) }),
    },
    environment,
    geminiSettings,
    assets,
    writeLog: note,
    ownsProcess,
  });
}

/** Opens the stored session that `--resume` names. Rejects with a `ProblemError` if it can't continue here. */
async function resumeSession(service: AgentService, wanted: string, workspace: string): Promise<AgentSession> {
  const id = await findSession(service, wanted, workspace);
  const session = await service.resumeSession(id);
  const holder = service.holderOf(id);
  if (holder === undefined) return session;
  throw new ProblemError({
    kind: 'session-locked',
    title: `This session is open in ${holder}`,
    detail: 'Nothing was sent. Continue there, or close it there and run this again.',
    actions: [],
  });
}

/** Finds the session before it is opened, because opening locks a session and closes an interrupted run. */
async function findSession({ library }: AgentService, wanted: string, workspace: string): Promise<string> {
  if (wanted === 'latest') {
    const latest = await library?.latest(workspace);
    if (latest !== undefined) return latest;
    throw invalidArgument('There is no session to resume', `No conversation was stored for ${workspace} yet.`);
  }
  const found = (await library?.list())?.find(({ id }) => id === wanted);
  if (!found)
    throw invalidArgument(`There is no session ${wanted}`, 'Use --list-sessions to list the sessions of this folder.');
  if (found.workspace === workspace || found.problem !== undefined) return wanted;
  const detail = `It belongs to ${found.workspace || 'no folder'}, not to ${workspace}. Name its folder with --workspace DIR.`;
  throw invalidArgument('That session belongs to another folder', detail);
}

interface Conversation {
  readonly session: AgentSession;
  readonly payload: AgentSend;
  /** Ends the run early; the run still closes with its `agent_end`. */
  readonly stop: AbortSignal;
  readonly onEvent: (event: AgentEvent) => void;
  readonly onStopFailed: (error: unknown) => void;
}

/**
 * Sends one payload and reports the events that follow. Resolves after `agent_end`. Rejects if the session does not
 * accept the message.
 */
export async function converse({ session, payload, stop, onEvent, onStopFailed }: Conversation): Promise<void> {
  const abort = (): void => void session.abort().catch(onStopFailed);
  // The session may already have sent `initialize`, and a subscription replays nothing. Other earlier events are not
  // new.
  const introduction = session.events.find((event) => event.type === 'initialize');
  if (introduction) onEvent(introduction);
  const unsubscribe = session.subscribe(onEvent);
  stop.addEventListener('abort', abort);
  try {
    for await (const event of session.sendStream(payload)) {
      // The run was stopped while the message was being accepted, before there was a run to abort.
      if (event.type === 'agent_start' && stop.aborted) abort();
    }
  } finally {
    stop.removeEventListener('abort', abort);
    unsubscribe();
  }
}

interface PayloadPlace {
  readonly service: AgentService;
  readonly session: AgentSession;
  readonly stop: AbortSignal;
  readonly note: (text: string) => void;
}

/** The payload: the prompt with its mentions and piped input, or the request to continue a session. */
async function payloadOf({ words, piped: bytes }: GivenPrompt, place: PayloadPlace): Promise<AgentSend> {
  const { messageContext } = place.service;
  const piped = bytes && messageContext.piped(bytes);
  if (words === undefined) {
    if (!piped) return { action: { type: 'continue', data: undefined } };
    if ('text' in piped) return pipedPrompt(piped.text, place);
    const detail = 'The piped input is an image or a document. Use -p "…" to say what to do with it.';
    throw invalidArgument('There is no prompt', detail);
  }
  if (isCompressCommand(words) && !piped) return { action: { type: 'compress', data: undefined } };
  const said = words.startsWith('/') ? await typedCommand(words, place) : undefined;
  const content = [...(said ?? [textPart(words)]), ...(await mentioned(words, true, place))];
  return { message: { content: piped ? [...content, messageContext.pipedPart(piped)] : content } };
}

/** Uses piped text as the prompt. Anyone may have written it, so it runs no commands and can't name hidden files. */
async function pipedPrompt(text: string, place: PayloadPlace): Promise<AgentSend> {
  const content = [textPart(text), ...(await mentioned(text, false, place))];
  return { message: { content }, _meta: { source: 'stdin' } };
}

/** Expands a command that begins with a slash; undefined for any other prompt. */
async function typedCommand(words: string, place: PayloadPlace): Promise<readonly ContentPart[] | undefined> {
  const { service, session, stop, note } = place;
  const typed = await service.customCommands.typed(session.id, words, stop);
  for (const problem of typed?.problems ?? []) note(problem);
  return typed?.parts;
}

async function mentioned(text: string, isTyped: boolean, place: PayloadPlace): Promise<readonly ContentPart[]> {
  const { service, session, stop, note } = place;
  const { parts, problems } = await service.messageContext.mentions.of(session.id, { text, isTyped }, stop);
  for (const problem of problems) note(problem);
  return parts;
}
