import { parseArgs } from 'node:util';
import { APPROVAL_MODES, type ApprovalMode, isApprovalMode } from '../protocol/approval-mode.ts';

export const OUTPUT_FORMATS = ['text', 'json', 'stream-json'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

export interface RunArguments {
  readonly kind: 'run';
  readonly prompt: string | undefined;
  /** As typed; undefined for the current directory. */
  readonly workspace: string | undefined;
  readonly output: OutputFormat;
  readonly model: string | undefined;
  /** Another model may answer in its place. */
  readonly fallback: boolean;
  /** -1 for no limit, undefined for the setting. */
  readonly maxTurns: number | undefined;
  readonly approvalMode: ApprovalMode | undefined;
  /** As typed. */
  readonly policies: readonly string[];
  readonly trust: boolean;
  /** The session to go on with: its id, or `latest`. */
  readonly resume: string | undefined;
  /** Files of recorded answers, as typed. */
  readonly replay: string | undefined;
  readonly record: string | undefined;
}

export interface ListArguments {
  readonly kind: 'list-sessions';
  readonly workspace: string | undefined;
  readonly output: OutputFormat;
}

export type Arguments =
  | RunArguments
  | ListArguments
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'invalid'; readonly message: string };

interface Flag {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  /** What belongs after the flag, for the error when it is missing. */
  readonly value?: string;
  readonly repeatable?: boolean;
}

const FLAGS = {
  prompt: { type: 'string', short: 'p', value: 'the prompt' },
  workspace: { type: 'string', value: 'a folder' },
  output: { type: 'string', value: 'text, json or stream-json' },
  model: { type: 'string', value: 'a model name' },
  fallback: { type: 'boolean' },
  'max-turns': { type: 'string', value: 'a whole number, or -1 for no limit' },
  'approval-mode': { type: 'string', value: APPROVAL_MODES.join(', ') },
  policy: { type: 'string', value: 'a policy file or folder', repeatable: true },
  trust: { type: 'boolean' },
  resume: { type: 'string', value: 'the id of a session, or latest' },
  replay: { type: 'string', value: 'a file of recorded answers' },
  record: { type: 'string', value: 'a file for recorded answers' },
  'list-sessions': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const satisfies Record<string, Flag>;

type FlagName = keyof typeof FLAGS;
/** Several values for a flag that may be given several times. */
type Values = ReadonlyMap<FlagName, readonly string[]>;

export function parseArguments(args: readonly string[]): Arguments {
  // Not `strict`: its errors carry the flag only inside a message, and it refuses `-p "- a list"` as ambiguous.
  // The tokens are checked here instead, every one of them.
  const { tokens } = parseArgs({
    args: [...args],
    options: FLAGS,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const options = tokens.filter((token) => token.kind === 'option');
  if (options.some((token) => token.name === 'help')) return { kind: 'help' };
  if (options.some((token) => token.name === 'version')) return { kind: 'version' };

  const values = new Map<FlagName, string[]>();
  for (const token of tokens) {
    if (token.kind === 'positional') return invalid(positionalFault(token.value));
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    if (!isFlagName(name)) return invalid(`${rawName} is not a flag of Gantry.`);
    const flag: Flag = FLAGS[name];
    const given = values.get(name) ?? [];
    if (given.length > 0 && !flag.repeatable) return invalid(`--${name} was given twice.`);
    const fault = valueFault(name, value, inlineValue);
    if (fault !== undefined) return invalid(fault);
    values.set(name, [...given, value ?? '']);
  }
  return values.has('list-sessions') ? toList(values) : toRun(values);
}

function toList(values: Values): Arguments {
  const other = (['prompt', 'resume', 'replay', 'record'] as const).find((name) => values.has(name));
  if (other !== undefined) return invalid(`--list-sessions only lists, so --${other} does not go with it.`);
  const run = toRun(values);
  return run.kind === 'run' ? { kind: 'list-sessions', workspace: run.workspace, output: run.output } : run;
}

function toRun(values: Values): Arguments {
  const one = (name: FlagName): string | undefined => values.get(name)?.[0];
  const output = one('output') ?? 'text';
  if (!isOutputFormat(output)) return invalid(`--output "${output}" is unknown. It can be ${FLAGS.output.value}.`);
  const turns = one('max-turns');
  if (turns !== undefined && !/^(-1|\d{1,9})$/.test(turns)) {
    return invalid(`--max-turns "${turns}" is not possible. It takes ${FLAGS['max-turns'].value}.`);
  }
  const approvalMode = one('approval-mode');
  if (approvalMode !== undefined && !isApprovalMode(approvalMode)) {
    return invalid(`--approval-mode "${approvalMode}" is unknown. It can be ${FLAGS['approval-mode'].value}.`);
  }
  for (const name of ['workspace', 'model', 'resume', 'policy', 'replay', 'record'] as const) {
    if (values.get(name)?.some((value) => value.trim() === ''))
      return invalid(`--${name} is empty. It takes ${FLAGS[name].value}.`);
  }
  if (values.has('replay') && values.has('record')) {
    return invalid('--replay asks no model, so there is nothing to --record.');
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
    policies: values.get('policy') ?? [],
    trust: values.has('trust'),
    resume: one('resume')?.trim(),
    replay: one('replay'),
    record: one('record'),
  };
}

function positionalFault(value: string): string {
  const shown = value.length > 40 ? `${value.slice(0, 40)}…` : value;
  return `"${shown}" does not belong to a flag. Give the prompt as -p "…", or on stdin.`;
}

function valueFault(name: FlagName, value: string | undefined, inline: boolean | undefined): string | undefined {
  const flag: Flag = FLAGS[name];
  if (flag.type === 'boolean') return value === undefined ? undefined : `--${name} takes no value.`;
  if (value === undefined) return `--${name} needs ${flag.value} after it.`;
  if (inline === true || !looksLikeFlag(value)) return undefined;
  return `--${name} needs ${flag.value} after it, but ${value} follows. If that is meant, write --${name}=${value}`;
}

/** A forgotten value would swallow the next flag; a prompt that merely starts with a dash is a prompt. */
function looksLikeFlag(value: string): boolean {
  const name = /^--([a-z-]+)(=|$)/.exec(value)?.[1];
  if (name !== undefined) return isFlagName(name);
  return ['-p', '-h', '-v'].includes(value);
}

function invalid(message: string): Arguments {
  return { kind: 'invalid', message: `${message} See --help.` };
}

function isFlagName(name: string): name is FlagName {
  return Object.hasOwn(FLAGS, name);
}

function isOutputFormat(value: string): value is OutputFormat {
  return OUTPUT_FORMATS.some((format) => format === value);
}
