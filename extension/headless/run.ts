import { resolve } from 'node:path';
import type { GeminiSettings } from '../gemini-config/gemini-settings.ts';
import { currentCredential } from '../model/catalog/describe-model.ts';
import { checkRecord } from '../model/recorded/record-file.ts';
import type { Host } from '../ports/host.ts';
import type { AgentEvent } from '../protocol/agent/agent-event.ts';
import type { AgentSession } from '../protocol/agent/agent-session.ts';
import { ProblemError } from '../protocol/agent/problem.ts';
import type { AgentService } from '../runtime/agent-service.ts';
import type { RunArguments } from './arguments.ts';
import { checkPolicies } from './check-policies.ts';
import { converse } from './conversation.ts';
import { type ExitCode, exitCodeOfRun } from './exit-code.ts';
import { readGeminiSettings } from './gemini-settings.ts';
import { createHeadlessHost } from './headless-host.ts';
import { loadAgentService } from './load-runtime.ts';
import { fallbackNote, noteOf, trustNote } from './notes.ts';
import { createOutput } from './output.ts';
import { payloadOf } from './payload.ts';
import { badInput, interruptedEvent, problemOf, refusalEvent } from './problem-of.ts';
import { readPrompt, type Stdin } from './prompt.ts';
import { resumeSession } from './resumed-session.ts';
import { summarize } from './run-summary.ts';
import type { Sink } from './sink.ts';
import { requireFolder, workspacePath } from './workspace.ts';

export interface RunSurroundings {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder of what ships beside the bundles. */
  readonly assets: string;
  readonly stdin: Stdin;
  readonly stdout: Sink;
  readonly isTerminal: boolean;
  readonly note: (text: string) => void;
  readonly interrupted: AbortSignal;
}

/** Asks the prompt and prints what happens. */
export async function run(args: RunArguments, surroundings: RunSurroundings): Promise<ExitCode> {
  const { stdout, note, interrupted } = surroundings;
  const workspace = workspacePath(surroundings.cwd, args.workspace);
  let unused = 0;
  const onReplayed = (left: number): void => {
    unused = left;
  };
  const folder = { roots: () => [workspace], isTrusted: () => args.trust };
  const geminiSettings = await readGeminiSettings(folder, surroundings.environment, note);
  const host = createHost(args, workspace, geminiSettings, surroundings, onReplayed);
  const output = createOutput(args.output, surroundings);
  const events: AgentEvent[] = [];
  let earlier: readonly AgentEvent[] = [];
  let written = Promise.resolve();
  const told: string[] = [];
  const print = async (event: AgentEvent): Promise<void> => {
    await output.event(event);
    const text = noteOf(event, events);
    // The session may tell of its rules too, once they are asked.
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
    await ask({ args, surroundings, workspace, host, onRules, onOpened, onEvent });
  } catch (error) {
    const now = new Date(host.clock.now());
    const problem = problemOf(error);
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
  /** A line for each thing that is wrong with the rules. */
  readonly onRules: (lines: readonly string[]) => void;
  readonly onOpened: (session: AgentSession) => void;
  readonly onEvent: (event: AgentEvent) => void;
}

async function ask({ args, surroundings, workspace, host, onRules, onOpened, onEvent }: Question): Promise<void> {
  const { stdin, stdout, note, interrupted } = surroundings;
  const { resume } = args;
  await requireFolder(workspace);
  if (host.recorded?.record !== undefined) await checkRecord(host.recorded.record);
  // What is piped in arrives meanwhile.
  const reading = readPrompt({ flag: args.prompt, stdin, interrupted, note });
  const loading = loadAgentService(host);
  loading.catch(() => undefined);
  const prompt = await reading;
  if (!prompt && resume === undefined) {
    throw badInput('There is no prompt', 'Give one with -p "…", or pipe it in. See --help.');
  }
  await requireModel(host);
  const service = await loading;
  try {
    await requireSandbox(args, service);
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

function createHost(
  args: RunArguments,
  workspace: string,
  geminiSettings: GeminiSettings,
  { cwd, environment, assets, note }: RunSurroundings,
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
    recorded: {
      ...(args.replay !== undefined && { replay: resolve(cwd, args.replay), onReplayed }),
      ...(args.record !== undefined && { record: resolve(cwd, args.record) }),
    },
    environment,
    geminiSettings,
    assets,
    writeLog: note,
  });
}

/** Rejects with a `ProblemError` when commands must be confined and cannot be. */
async function requireSandbox({ sandbox: mode }: RunArguments, service: AgentService): Promise<void> {
  const support = mode === 'required' ? await service.sandbox.support() : undefined;
  if (!support || 'tool' in support) return;
  throw new ProblemError({
    kind: 'bad-configuration',
    title: 'There is no sandbox for commands',
    detail: `Nothing was sent. ${support.missing} Or run with --sandbox auto: commands are then confined where that works.`,
    actions: [],
  });
}

/**
 * Rejects with a `ProblemError` when nothing was set up that could answer. The offline guide does not step in: a script
 * would take its words for a model's.
 */
async function requireModel(host: Host): Promise<void> {
  const isChosen = host.recorded?.replay !== undefined || host.settings.authMethod() === 'offline';
  if (isChosen || (await currentCredential(host)).kind !== 'offline') return;
  throw new ProblemError({
    kind: 'no-credential',
    title: 'No model is configured',
    detail:
      'Nothing was sent. Set GEMINI_API_KEY to a key, which https://aistudio.google.com/apikey gives you, or set up a gateway or Vertex AI as --help says. ' +
      'To see Gantry without a model, ask its offline guide with --model guide.',
    actions: [],
  });
}
