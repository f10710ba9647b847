import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { installPeer } from '../bench/peers.ts';
import { type Agent, TIMEOUT_MS, type Turn } from './agent.ts';
import { NO_TOKENS, roleOf, type Tokens, type ToolUse, type Transcript } from './transcript.ts';

type Json = Readonly<Record<string, unknown>>;

/** Another agent that speaks Gemini's API, with the output that programs read. */
interface Peer {
  readonly npmPackage: string;
  readonly version: string;
  readonly program: string;
  /** What its documentation says to write into its home. */
  settings(environment: Readonly<Record<string, string>>): Readonly<Record<string, object>>;
  args(turn: Turn, model: string): readonly string[];
  transcript(lines: readonly Json[]): Omit<Transcript, 'problem'>;
}

export const PEER_NAMES = ['gemini-cli', 'pi'] as const;
export type PeerName = (typeof PEER_NAMES)[number];

export function isPeerName(name: string): name is PeerName {
  return PEER_NAMES.some((known) => known === name);
}

/** The peer in its pinned version, installed with npm into a cache. It needs a model by name, to be comparable. */
export async function peerAgent(
  name: PeerName,
  model: string,
  environment: Readonly<Record<string, string>>,
): Promise<Agent> {
  const peer = PEERS[name];
  const folder = await installPeer(peer);
  return {
    name: `${name} ${peer.version}`,
    ask: async (turn) => {
      const { copy } = turn;
      for (const [path, value] of Object.entries(peer.settings(environment))) {
        await mkdir(dirname(join(copy.home, path)), { recursive: true });
        await writeFile(join(copy.home, path), JSON.stringify(value));
      }
      const { code, stdout, stderr } = await output(
        [join(folder, peer.program), ...peer.args(turn, model)],
        copy.folder,
        { ...copy.environment, ...environment, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
      );
      const transcript = { ...peer.transcript(jsonLines(stdout)), model };
      return code === 0 ? transcript : { ...transcript, problem: `exit code ${code}: ${stderr.slice(-500)}` };
    },
  };
}

/** The events of `gemini --output-format stream-json`. */
export function geminiCliTranscript(lines: readonly Json[]): Omit<Transcript, 'problem'> {
  const results = new Map(lines.filter(({ type }) => type === 'tool_result').map((line) => [line['tool_id'], line]));
  const calls = lines
    .filter(({ type }) => type === 'tool_use')
    .map((line) => {
      const result = results.get(line['tool_id']);
      const failed = result?.['status'] === 'success' ? undefined : (record(result?.['error'])['type'] ?? 'other');
      return toolUse(String(line['tool_name']), record(line['parameters']), failed);
    });
  const stats = record(lines.findLast(({ type }) => type === 'result')?.['stats']);
  const tokens = {
    input: count(stats['input_tokens']),
    output: count(stats['output_tokens']),
    cached: count(stats['cached']),
  };
  // Text that arrives in pieces between two calls is one answer.
  const turns = [''];
  let steps = 0;
  let speaks = false;
  for (const { type, role, content } of lines) {
    const isModel = type === 'tool_use' || (type === 'message' && role === 'assistant');
    if (isModel && !speaks) steps++;
    if (type === 'tool_use') turns.push('');
    if (type === 'message' && role === 'assistant') turns.push(`${turns.pop() ?? ''}${String(content ?? '')}`);
    if (isModel || type === 'tool_result') speaks = isModel;
  }
  return { model: '', calls, answers: [turns.at(-1) ?? ''], steps, tokens };
}

/** The events of `pi --mode json`. */
export function piTranscript(lines: readonly Json[]): Omit<Transcript, 'problem'> {
  const ends = lines.filter(({ type }) => type === 'tool_execution_end');
  const failed = new Map(ends.map((line) => [line['toolCallId'], line['isError'] === true ? 'other' : undefined]));
  const calls = lines
    .filter(({ type }) => type === 'tool_execution_start')
    .map((line) => toolUse(String(line['toolName']), record(line['args']), failed.get(line['toolCallId'])));
  const messages = lines
    .filter(({ type }) => type === 'message_end')
    .map(({ message }) => record(message))
    .filter(({ role }) => role === 'assistant');
  const tokens = messages
    .map(({ usage }) => record(usage))
    .map(({ input, output: out, cacheRead }) => ({
      input: count(input) + count(cacheRead),
      output: count(out),
      cached: count(cacheRead),
    }))
    .reduce(
      (a: Tokens, b: Tokens) => ({
        input: a.input + b.input,
        output: a.output + b.output,
        cached: a.cached + b.cached,
      }),
      NO_TOKENS,
    );
  const parts = messages.at(-1)?.['content'];
  const answer = (Array.isArray(parts) ? parts : [])
    .map((part: unknown) => String(record(part)['text'] ?? ''))
    .join('');
  return { model: '', calls, answers: [answer], steps: messages.length, tokens };
}

const PEERS: Readonly<Record<PeerName, Peer>> = {
  'gemini-cli': {
    npmPackage: '@google/gemini-cli',
    version: '0.61.0',
    program: 'bundle/gemini.js',
    settings: () => ({
      '.gemini/settings.json': {
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        security: { auth: { selectedType: 'gemini-api-key' } },
      },
    }),
    args: ({ prompt, index }, model) => [
      ...['-m', model, '--approval-mode', 'yolo', '--output-format', 'stream-json'],
      ...(index === 0 ? [] : ['--resume', 'latest']),
      ...['-p', prompt],
    ],
    transcript: geminiCliTranscript,
  },
  pi: {
    npmPackage: '@mariozechner/pi-coding-agent',
    version: '0.73.1',
    program: 'dist/cli.js',
    settings: ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: apiKey }) => {
      if (url === undefined) return {};
      return { '.pi/agent/models.json': { providers: { google: { baseUrl: `${url}/v1beta`, apiKey } } } };
    },
    args: ({ prompt, index }, model) => [
      ...['--mode', 'json', '--provider', 'google', '--model', model],
      ...(index === 0 ? [] : ['--continue']),
      prompt,
    ],
    transcript: piTranscript,
  },
};

function toolUse(name: string, args: Json, error: unknown): ToolUse {
  const kind = error === undefined ? undefined : String(error);
  const rejected = kind === 'policy_violation' || kind === 'rejected';
  return { name, role: roleOf(name), args, prompt: 0, ...(kind !== undefined && { error: kind }), rejected };
}

function jsonLines(text: string): readonly Json[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): Json => record(JSON.parse(line)));
}

function record(value: unknown): Json {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function count(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function output(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve) => {
    const options = { cwd, env, timeout: TIMEOUT_MS, maxBuffer: 1e9 };
    const child = execFile(process.execPath, [...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? (typeof error.code === 'number' ? error.code : 1) : 0, stdout, stderr }),
    );
    child.stdin?.end();
  });
}
