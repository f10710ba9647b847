import { homedir } from 'node:os';
import { join } from 'node:path';
import { summarize } from '../../extension/headless/run-summary.ts';
import type { AgentEvent } from '../../extension/protocol/agent/agent-event.ts';
import { HeadlessProcess, type HeadlessResult } from '../support/headless.ts';
import { commandInProcess } from '../support/in-process.ts';
import type { Copy } from './copy.ts';
import { addTokens, NO_TOKENS, roleOf, type ToolUse, type Transcript } from './transcript.ts';

/** One prompt in the copy of a task. */
export interface Turn {
  readonly copy: Copy;
  readonly prompt: string;
  /** From 0; from 1 on, the session of the prompt before is continued. */
  readonly index: number;
}

/** Who is given the tasks. */
export interface Agent {
  readonly name: string;
  ask(turn: Turn): Promise<Transcript>;
}

export interface GantryOptions {
  readonly name?: string;
  readonly model?: string | undefined;
  /** More flags for a prompt, such as `--record`. */
  readonly flags?: (turn: Turn) => readonly string[];
  /** Credentials and the endpoint. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A task ends here at the latest. The limit of turns is far above what a solution needs. */
export const TIMEOUT_MS = 15 * 60 * 1000;
const MAX_TURNS = '80';

function argumentsOf({ copy, prompt, index }: Turn, { model }: GantryOptions): readonly string[] {
  const session = index === 0 ? [] : ['--resume', 'latest'];
  const named = model === undefined ? [] : ['--model', model];
  const usual = ['--workspace', copy.folder, '--trust', '--yolo', '--output', 'stream-json', '--max-turns', MAX_TURNS];
  return [...usual, ...named, ...session, '-p', prompt];
}

/** The built command line, as a process of its own: what users run. */
export function gantryProcess(options: GantryOptions = {}): Agent {
  return {
    name: options.name ?? 'gantry',
    ask: async (turn) => {
      const { home, folder, environment } = turn.copy;
      const child = new HeadlessProcess([...argumentsOf(turn, options), ...(options.flags?.(turn) ?? [])], {
        cwd: folder,
        environment: { ...environment, GANTRY_HOME: home, GEMINI_CLI_HOME: home, ...options.environment },
      });
      const ended = await withinTime(child);
      return gantryTranscript(ended);
    },
  };
}

/** The command line without a process of its own, which starts in a tenth of the time. Nothing leaves this machine. */
export function gantryInProcess(options: GantryOptions = {}): Agent {
  return {
    name: options.name ?? 'gantry',
    ask: async (turn) => {
      const { home, folder, environment } = turn.copy;
      const own = { ...environment, GANTRY_HOME: home, GEMINI_CLI_HOME: home, ...options.environment };
      const args = [...argumentsOf(turn, options), '--sandbox', 'off', ...(options.flags?.(turn) ?? [])];
      return gantryTranscript(await commandInProcess(args, { cwd: folder, environment: own }));
    },
  };
}

async function withinTime(child: HeadlessProcess): Promise<HeadlessResult> {
  const stop = setTimeout(() => child.interrupt(), TIMEOUT_MS);
  const kill = setTimeout(() => child.child.kill('SIGKILL'), TIMEOUT_MS + 30_000);
  try {
    return await child.ended;
  } finally {
    clearTimeout(stop);
    clearTimeout(kill);
  }
}

const CREDENTIALS =
  /^(GEMINI_API_KEY|GOOGLE_API_KEY|GOOGLE_GEMINI_BASE_URL|GOOGLE_GENAI_\w+|GOOGLE_CLOUD_\w+|GOOGLE_APPLICATION_CREDENTIALS|GANTRY_FALLBACK|HTTPS?_PROXY|NO_PROXY|NODE_EXTRA_CA_CERTS)$/i;

/** What the developer's environment says about the model. Nothing else of it reaches an agent. */
export function modelEnvironment(environment: NodeJS.ProcessEnv = process.env): Readonly<Record<string, string>> {
  const chosen = Object.entries(environment).flatMap(([name, value]) =>
    CREDENTIALS.test(name) && value !== undefined ? [[name, value] as const] : [],
  );
  // Application default credentials are in the real home.
  const gcloud = environment['CLOUDSDK_CONFIG'] ?? join(homedir(), '.config/gcloud');
  return { ...Object.fromEntries(chosen), CLOUDSDK_CONFIG: gcloud };
}

function gantryTranscript({ code, stdout, stderr }: HeadlessResult): Transcript {
  const events = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): AgentEvent => JSON.parse(line));
  const { response, model } = summarize(events);
  const usage = events.filter((event) => event.type === 'usage');
  return {
    model,
    calls: callsIn(events),
    answers: [response],
    steps: usage.filter(({ _meta }) => !_meta?.beside).length,
    tokens: usage
      .map(({ inputTokens: input = 0, outputTokens: output = 0, cachedTokens: cached = 0 }) => ({
        input,
        output,
        cached,
      }))
      .reduce(addTokens, NO_TOKENS),
    ...(code !== 0 && { problem: `exit code ${code}: ${stderr.trim().slice(-500)}` }),
  };
}

const REJECTED = ['policy_violation', 'rejected', 'result_refused'];

function callsIn(events: readonly AgentEvent[]): readonly ToolUse[] {
  const responses = new Map(
    events.flatMap((event) => (event.type === 'tool_response' ? [[event.requestId, event] as const] : [])),
  );
  return events
    .filter((event) => event.type === 'tool_request')
    .map(({ requestId, name, args }) => {
      const response = responses.get(requestId);
      const kind = String(response?.data?.['errorType'] ?? 'other');
      const failed = response === undefined ? 'no_result' : response.isError ? kind : undefined;
      return {
        name,
        role: roleOf(name),
        args,
        prompt: 0,
        ...(failed !== undefined && { error: failed }),
        rejected: failed !== undefined && REJECTED.includes(failed),
      };
    });
}
