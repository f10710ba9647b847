import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { once } from '../base/once.ts';
import type { HookOutput } from './hook-types.ts';

/** The limit of a hook's text in the conversation. */
const MAX_TEXT = 32_000;

/** Invalid fields are ignored. */
const output = once(() => {
  const flag = z.boolean().optional().catch(undefined);
  const text = z
    .string()
    .transform((value) => shortened(value))
    .optional()
    .catch(undefined);
  return z.object({
    continue: flag,
    stopReason: text,
    suppressOutput: flag,
    systemMessage: text,
    decision: z.enum(['ask', 'block', 'deny', 'approve', 'allow']).optional().catch(undefined),
    reason: text,
    hookSpecificOutput: z.record(z.string(), z.unknown()).optional().catch(undefined),
  });
});

export interface HookExit {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * The output of a command hook, depending on its exit code. 0: JSON applies, and other text is shown. 2: it blocks,
 * whatever it prints. Any other code: text is a warning for 1 and blocks otherwise; JSON applies only where it forbids,
 * because a program that failed can't be relied on to allow or change anything.
 */
export function readHookOutput({ exitCode, stdout, stderr }: HookExit): HookOutput | undefined {
  const said = (stdout.trim() === '' ? stderr : stdout).trim();
  const json = said === '' ? { kind: 'none' as const } : parse(said);
  if (exitCode === 0) {
    if (json.kind === 'text') return { systemMessage: shortened(said) };
    return json.kind === 'output' ? json.output : undefined;
  }
  if (exitCode === BLOCKS) return blocked(json.kind === 'output' ? json.output : {}, json.kind === 'text' ? said : '');
  if (json.kind === 'output') return onlyForbidding(json.output);
  if (json.kind === 'none') return undefined;
  if (exitCode === WARNS) return { systemMessage: l10n.t('Warning: {0}', shortened(said)) };
  return { decision: 'deny', reason: shortened(said) };
}

const WARNS = 1;
const BLOCKS = 2;

/** The output of a runtime hook. */
export function asHookOutput(value: unknown): HookOutput | undefined {
  const { success, data } = output().safeParse(value);
  return success ? data : undefined;
}

type Said =
  | { readonly kind: 'output'; readonly output: HookOutput }
  | { readonly kind: 'text' }
  | { readonly kind: 'none' };

function parse(said: string): Said {
  let value: unknown;
  try {
    value = JSON.parse(said);
    // Some programs print their JSON as a JSON string.
    if (typeof value === 'string') value = JSON.parse(value);
  } catch {
    return { kind: 'text' };
  }
  const read = asHookOutput(value);
  return read ? { kind: 'output', output: read } : { kind: 'none' };
}

function blocked({ reason, ...rest }: HookOutput, said: string): HookOutput {
  const given = reason ?? (said === '' ? undefined : shortened(said));
  return { ...onlyForbidding(rest), decision: 'deny', ...(given !== undefined && { reason: given }) };
}

function onlyForbidding({ continue: goesOn, stopReason, decision, reason, systemMessage }: HookOutput): HookOutput {
  const forbids = decision === 'deny' || decision === 'block' || decision === 'ask';
  return {
    ...(goesOn === false && { continue: false }),
    ...(stopReason !== undefined && { stopReason }),
    ...(forbids && { decision }),
    ...(reason !== undefined && { reason }),
    ...(systemMessage !== undefined && { systemMessage }),
  };
}

export function shortened(value: string): string {
  return value.length <= MAX_TEXT ? value : `${value.slice(0, MAX_TEXT)}…`;
}
