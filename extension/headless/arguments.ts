import { parseArgs } from 'node:util';
import { ownValue } from '../base/objects.ts';
import { baseUrlProblem, carriesKeyInTheClear } from '../model/base-url.ts';
import type { SandboxMode } from '../ports/settings.ts';
import { APPROVAL_MODES, type ApprovalMode, isApprovalMode } from '../protocol/agent/approval-mode.ts';
import { readHostRule } from '../sandbox/host-rules.ts';
import { editDistanceWithin, nearestNames } from '../text/nearest-names.ts';

export const OUTPUT_FORMATS = ['text', 'json', 'stream-json'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** What applies to every session that the command opens. */
interface SessionArguments {
  readonly model: string | undefined;
  /** Whether another model may answer instead. */
  readonly fallback: boolean;
  /** -1 for no limit, undefined for the setting. */
  readonly maxTurns: number | undefined;
  readonly approvalMode: ApprovalMode | undefined;
  readonly sandbox: SandboxMode;
  /** Hosts that commands in the sandbox may reach. */
  readonly sandboxNetwork: readonly string[];
  /** As typed. */
  readonly policies: readonly string[];
  readonly trust: boolean;
  /** The receiver of telemetry; undefined for none. */
  readonly otlp: string | undefined;
}

export interface RunArguments extends SessionArguments {
  readonly kind: 'run';
  readonly prompt: string | undefined;
  /** As typed; undefined for the current directory. */
  readonly workspace: string | undefined;
  readonly output: OutputFormat;
  /** The session to continue: its id, or `latest`. */
  readonly resume: string | undefined;
  /** Files of recorded answers, as typed. */
  readonly replay: string | undefined;
  readonly record: string | undefined;
}

/** `gantry acp`: serves another editor, which names the folders. */
export interface AcpArguments extends SessionArguments {
  readonly kind: 'acp';
}

/** `gantry serve`: serves the sessions of a folder over A2A. */
export interface ServeArguments extends SessionArguments {
  readonly kind: 'serve';
  /** Whether to serve here or in the background, or what to do with the server at the port. */
  readonly task: 'serve' | 'detach' | 'status' | 'stop';
  /** As typed; undefined for the current directory. */
  readonly workspace: string | undefined;
  /** 0 for any that is free. */
  readonly port: number;
  /** The minutes without work after which the server ends. */
  readonly idleExit: number | undefined;
  /** Whether clients may allow calls. */
  readonly approves: boolean;
  /** The URL that push notifications may go to, and to what is below it; undefined for none. */
  readonly push: string | undefined;
}

export interface ListArguments {
  readonly kind: 'list-sessions';
  readonly workspace: string | undefined;
  readonly output: OutputFormat;
}

export type CommandLineArguments =
  | RunArguments
  | AcpArguments
  | ServeArguments
  | ListArguments
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  /** `output` is the requested format, as far as it is known, so that readers of JSON get the error as JSON too. */
  | { readonly kind: 'invalid'; readonly message: string; readonly output: OutputFormat };

interface Flag {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  /** The flag that this is an alias of. */
  readonly for?: string;
  /** Describes the value, for the error message if it is missing. */
  readonly value?: string;
  readonly repeatable?: boolean;
}

const FLAGS = {
  prompt: { type: 'string', short: 'p', value: 'the prompt' },
  workspace: { type: 'string', value: 'a folder' },
  output: { type: 'string', short: 'o', value: 'text, json or stream-json' },
  'output-format': { type: 'string', for: 'output', value: 'text, json or stream-json' },
  model: { type: 'string', short: 'm', value: 'a model name' },
  fallback: { type: 'boolean' },
  'max-turns': { type: 'string', value: 'a whole number, or -1 for no limit' },
  'approval-mode': { type: 'string', value: APPROVAL_MODES.join(', ') },
  yolo: { type: 'boolean', short: 'y' },
  policy: { type: 'string', value: 'a policy file or folder', repeatable: true },
  sandbox: { type: 'string', value: 'auto, required or off' },
  'sandbox-network': {
    type: 'string',
    value: 'a host, such as example.com, *.example.com or example.com:8443',
    repeatable: true,
  },
  trust: { type: 'boolean' },
  otlp: { type: 'string', value: 'the URL of an OpenTelemetry receiver, such as http://localhost:4318' },
  resume: { type: 'string', short: 'r', value: 'the id of a session, or latest' },
  replay: { type: 'string', value: 'a file of recorded answers' },
  record: { type: 'string', value: 'a file for recorded answers' },
  'list-sessions': { type: 'boolean' },
  port: { type: 'string', value: 'a port, or 0 for any that is free' },
  'idle-exit': { type: 'string', value: 'a number of minutes' },
  'no-approve': { type: 'boolean' },
  push: { type: 'string', value: 'the beginning of the URLs, such as https://example.com/hooks' },
  detach: { type: 'boolean' },
  status: { type: 'boolean' },
  stop: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const satisfies Record<string, Flag>;

type FlagName = keyof typeof FLAGS;
/** A repeatable flag may have several values. */
type Values = ReadonlyMap<FlagName, readonly string[]>;

type Token = ReturnType<typeof tokensOf>[number];
type OptionToken = Extract<Token, { kind: 'option' }>;

/** The first word, if it is none of a prompt. */
const SUBCOMMANDS = { acp: toAcp, serve: toServe } as const;

export function parseArguments(given: readonly string[]): CommandLineArguments {
  const subcommand = ownValue(SUBCOMMANDS, given[0] ?? '');
  const args = subcommand ? given.slice(1) : given;
  const tokens = tokensOf(args);
  const options = tokens.filter((token) => token.kind === 'option');
  if (options.some((token) => token.name === 'help')) return { kind: 'help' };
  if (options.some((token) => token.name === 'version')) return { kind: 'version' };
  const read = readValues(tokens, args);
  const parsed = typeof read === 'string' ? read : (subcommand ?? argumentsOf)(read);
  if (typeof parsed !== 'string') return parsed;
  return { kind: 'invalid', message: `${parsed} See --help.`, output: wantedOutput(options) };
}

/**
 * Does not use `strict`: its errors contain the flag only in a message, and it refuses `-p "- a list"` as ambiguous.
 * Instead, all tokens are checked here.
 */
function tokensOf(args: readonly string[]) {
  return parseArgs({ args: [...args], options: FLAGS, strict: false, allowPositionals: true, tokens: true }).tokens;
}

/** The values by flag, or an error message. Words without a flag are the prompt, as in Gemini CLI. */
function readValues(tokens: readonly Token[], args: readonly string[]): Values | string {
  const values = new Map<FlagName, string[]>();
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const isLong = token.rawName.startsWith('--');
    const written = isLong ? token.rawName : (args[token.index] ?? token.rawName);
    const name = flagOf(token.name);
    // Otherwise `-model x` would be read as `-m odel` and a prompt.
    if (name === undefined || (!isLong && isFlagName(written.slice(1)))) return unknownFlag(written);
    const given = values.get(name) ?? [];
    if (given.length > 0 && !FLAGS_BY_NAME[name].repeatable) return `--${name} was given twice.`;
    const value = givenValue(token);
    const fault = valueFault(isLong ? written : `--${name}`, FLAGS_BY_NAME[name], value, token.inlineValue);
    if (fault !== undefined) return fault;
    values.set(name, [...given, value ?? '']);
  }
  if (words.length === 0) return values;
  if (values.has('prompt')) return `There are two prompts: that of --prompt, and "${shortened(words.join(' '))}".`;
  return values.set('prompt', [words.join(' ')]);
}

function argumentsOf(values: Values): CommandLineArguments | string {
  const other = ONLY_FOR_SERVE.find((name) => values.has(name));
  if (other !== undefined) return `--${other} belongs to "gantry serve".`;
  return values.has('list-sessions') ? toList(values) : toRun(values);
}

function toList(values: Values): ListArguments | string {
  const other = (['prompt', 'resume', 'replay', 'record'] as const).find((name) => values.has(name));
  if (other !== undefined) return `--list-sessions only lists, so --${other} cannot be combined with it.`;
  const run = toRun(values);
  return typeof run === 'string' ? run : { kind: 'list-sessions', workspace: run.workspace, output: run.output };
}

const SERVE_TASKS = ['detach', 'status', 'stop'] as const;
const ONLY_FOR_SERVE = ['port', 'idle-exit', 'no-approve', 'push', ...SERVE_TASKS] as const;
/** The client says what these flags would say otherwise. */
const NOT_FOR_SERVE = ['prompt', 'output', 'resume', 'list-sessions', 'replay', 'record'] as const;
const NOT_FOR_ACP = [...NOT_FOR_SERVE, 'workspace', ...ONLY_FOR_SERVE] as const;

function toAcp(values: Values): AcpArguments | string {
  const read = forSessions(values, 'acp', NOT_FOR_ACP, 'the editor decides it');
  return typeof read === 'string' ? read : { kind: 'acp', ...read };
}

function toServe(values: Values): ServeArguments | string {
  const read = forSessions(values, 'serve', NOT_FOR_SERVE, 'its clients decide it');
  if (typeof read === 'string') return read;
  const [port = DEFAULT_PORT, idleExit] = [values.get('port')?.[0], values.get('idle-exit')?.[0]];
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    return `--port "${shortened(port)}" is not possible. It takes ${FLAGS.port.value}.`;
  }
  if (idleExit !== undefined && !(/^\d{1,5}(\.\d{1,3})?$/.test(idleExit) && Number(idleExit) > 0)) {
    return `--idle-exit "${shortened(idleExit)}" is not possible. It takes ${FLAGS['idle-exit'].value}.`;
  }
  const push = values.get('push')?.[0]?.trim();
  const noPrefix = push === undefined ? undefined : pushProblem(push);
  // The URL may contain a password, so it isn't repeated.
  if (noPrefix !== undefined) return `The value of --push ${noPrefix}. It takes ${FLAGS.push.value}.`;
  const [task = 'serve', ...others] = SERVE_TASKS.filter((name) => values.has(name));
  if (others.length > 0) return `--${task} and --${others[0]} cannot be combined.`;
  if ((task === 'status' || task === 'stop') && Number(port) === 0) return `--${task} needs the port of the server.`;
  return {
    kind: 'serve',
    task,
    ...read,
    workspace: values.get('workspace')?.[0],
    port: Number(port),
    idleExit: idleExit === undefined ? undefined : Number(idleExit),
    approves: !values.has('no-approve'),
    push,
  };
}

/** Notifications contain what the agent says about the code, and secrets of their receivers. */
function pushProblem(value: string): string | undefined {
  return (
    baseUrlProblem(value) ?? (carriesKeyInTheClear(value) ? 'is not https, and leads to another machine' : undefined)
  );
}

/** The port of Gemini CLI's server. */
const DEFAULT_PORT = '41242';

function forSessions(
  values: Values,
  subcommand: keyof typeof SUBCOMMANDS,
  notFor: readonly FlagName[],
  why: string,
): SessionArguments | string {
  const other = notFor.find((name) => values.has(name));
  if (other === 'prompt') return `"${subcommand}" takes no prompt. To send the word itself, use -p "${subcommand} …".`;
  if (other !== undefined) return `--${other} cannot be combined with "${subcommand}": ${why}.`;
  const run = toRun(values);
  if (typeof run === 'string') return run;
  const { model, fallback, maxTurns, approvalMode, sandbox, sandboxNetwork, policies, trust, otlp } = run;
  return { model, fallback, maxTurns, approvalMode, sandbox, sandboxNetwork, policies, trust, otlp };
}

function toRun(values: Values): RunArguments | string {
  const one = (name: FlagName): string | undefined => values.get(name)?.[0];
  const output = one('output') ?? 'text';
  if (!isOutputFormat(output)) return `--output "${output}" is unknown. It can be ${FLAGS.output.value}.`;
  const turns = one('max-turns');
  if (turns !== undefined && !/^(-1|\d{1,9})$/.test(turns)) {
    return `--max-turns "${turns}" is not possible. It takes ${FLAGS['max-turns'].value}.`;
  }
  if (values.has('yolo') && values.has('approval-mode')) return '--yolo cannot be combined with --approval-mode.';
  const written = values.has('yolo') ? 'yolo' : one('approval-mode');
  const approvalMode = written === 'auto_edit' ? 'autoEdit' : written;
  if (approvalMode !== undefined && !isApprovalMode(approvalMode)) {
    return `--approval-mode "${approvalMode}" is unknown. It can be ${FLAGS['approval-mode'].value}.`;
  }
  const sandbox = one('sandbox') ?? 'auto';
  if (!isSandboxMode(sandbox)) return `--sandbox "${sandbox}" is unknown. It can be ${FLAGS.sandbox.value}.`;
  const noHost = values.get('sandbox-network')?.find((host) => readHostRule(host) === undefined);
  if (noHost !== undefined) {
    return `--sandbox-network "${shortened(noHost)}" is not possible. It takes ${FLAGS['sandbox-network'].value}.`;
  }
  for (const name of ['workspace', 'model', 'resume', 'policy', 'replay', 'record'] as const) {
    if (values.get(name)?.some((value) => value.trim() === ''))
      return `--${name} is empty. It takes ${FLAGS[name].value}.`;
  }
  const otlp = one('otlp')?.trim();
  const noReceiver = otlp === undefined ? undefined : baseUrlProblem(otlp);
  // The URL may contain a password, so it isn't repeated.
  if (noReceiver !== undefined) return `The value of --otlp ${noReceiver}. It takes ${FLAGS.otlp.value}.`;
  if (values.has('replay') && values.has('record')) {
    return '--replay asks no model, so there is nothing to --record.';
  }
  return {
    kind: 'run',
    prompt: one('prompt'),
    workspace: one('workspace'),
    output,
    model: one('model')?.trim(),
    fallback: values.has('fallback'),
    maxTurns: turns === undefined ? undefined : Number(turns),
    approvalMode,
    sandbox,
    sandboxNetwork: values.get('sandbox-network') ?? [],
    policies: values.get('policy') ?? [],
    trust: values.has('trust'),
    otlp,
    resume: one('resume')?.trim(),
    replay: one('replay'),
    record: one('record'),
  };
}

function shortened(value: string): string {
  return value.length > 40 ? `${value.slice(0, 40)}…` : value;
}

/** Gemini CLI reads `-o=json` as `-o json`, and a value is never meant to begin with `=`. */
function givenValue({ rawName, value, inlineValue }: OptionToken): string | undefined {
  return inlineValue === true && !rawName.startsWith('--') ? value?.replace(/^=/, '') : value;
}

function valueFault(written: string, flag: Flag, value: string | undefined, inline?: boolean): string | undefined {
  if (flag.type === 'boolean') return value === undefined ? undefined : `${written} takes no value.`;
  if (value === undefined) return `${written} needs ${flag.value} after it.`;
  if (inline === true || !looksLikeFlag(value)) return undefined;
  return `${written} needs ${flag.value} after it, but ${value} follows. If that is meant, write ${written}=${value}`;
}

/** Detects a missing value, which would swallow the next flag. A prompt may begin with a dash. */
function looksLikeFlag(value: string): boolean {
  const name = /^--([a-z-]+)(=|$)/.exec(value)?.[1];
  if (name !== undefined) return isFlagName(name);
  return Object.values(FLAGS_BY_NAME).some(({ short }) => short !== undefined && value === `-${short}`);
}

function unknownFlag(written: string): string {
  const name = written.replace(/^-+/, '').replace(/=.*$/s, '');
  const [near = ''] = nearestNames(name, Object.keys(FLAGS), 1);
  // If up to a third of the letters differ, it is considered a typo.
  const isNear = editDistanceWithin(name, near, Math.max(1, Math.floor(name.length / 3))) !== undefined;
  const hint = isNear && name.length > 1 ? ` Did you mean --${near}?` : '';
  return `${shortened(written)} is not a flag of Gantry.${hint}`;
}

/** The requested format, even if other arguments are invalid. */
function wantedOutput(options: readonly OptionToken[]): OutputFormat {
  const wanted = options.filter(({ name }) => flagOf(name) === 'output').map((token) => givenValue(token) ?? '');
  return wanted.find(isOutputFormat) ?? 'text';
}

const FLAGS_BY_NAME: Readonly<Record<FlagName, Flag>> = FLAGS;

/** Resolves a name or an alias to its flag. */
function flagOf(name: string): FlagName | undefined {
  if (!isFlagName(name)) return undefined;
  const other = FLAGS_BY_NAME[name].for;
  return other !== undefined && isFlagName(other) ? other : name;
}

function isFlagName(name: string): name is FlagName {
  return Object.hasOwn(FLAGS, name);
}

function isSandboxMode(value: string): value is SandboxMode {
  return value === 'auto' || value === 'required' || value === 'off';
}

function isOutputFormat(value: string): value is OutputFormat {
  return OUTPUT_FORMATS.some((format) => format === value);
}
