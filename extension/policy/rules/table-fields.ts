import * as z from 'zod';
import { once } from '../../base/once.ts';
import { APPROVAL_MODES } from '../../protocol/agent/approval-mode.ts';
import { nearestNames } from '../../text/nearest-names.ts';

const nameField = once(() => z.string().min(1, 'must not be empty; "*" means all'));
const namesField = once(() => z.union([nameField(), z.array(nameField())]));
const matchFields = once(() => ({
  toolName: namesField(),
  mcpName: nameField(),
  argsPattern: z.string(),
  commandPrefix: namesField(),
  commandRegex: z.string(),
  modes: z.array(z.enum(APPROVAL_MODES)),
  toolAnnotations: z.record(z.string(), z.unknown()),
}));

/** A priority of 1000 would belong to the next tier. */
const MAX_PRIORITY = 999;

export const ruleFields = once(() =>
  z
    .object({
      ...matchFields(),
      subagent: nameField(),
      interactive: z.boolean(),
      decision: z.enum(['allow', 'deny', 'ask_user']),
      priority: z.int().min(0).max(MAX_PRIORITY),
      allowRedirection: z.boolean(),
      allow_redirection: z.boolean(),
      denyMessage: z.string(),
      deny_message: z.string(),
    })
    .partial(),
);

const checkerConfig = once(() =>
  z.object({
    included_args: z.array(z.string()).optional(),
    excluded_args: z.array(z.string()).optional(),
  }),
);

export const checkerFields = once(() =>
  z
    .object({
      ...matchFields(),
      priority: z.int(),
      checker: z.object({
        type: z.enum(['in-process', 'external']),
        name: z.string(),
        required_context: z.array(z.string()).optional(),
        config: checkerConfig().optional(),
      }),
    })
    .partial(),
);

export interface FieldFault {
  readonly field: string;
  readonly reason: string;
}

export interface ReadFields<T> {
  readonly values: T;
  readonly faults: readonly FieldFault[];
}

/** Separates valid from invalid fields. Unknown keys are ignored. */
export function readFields<T>(schema: z.ZodType<T>, table: Readonly<Record<string, unknown>>): ReadFields<T> {
  const whole = schema.safeParse(table);
  if (whole.success) return { values: whole.data, faults: [] };
  const faults = whole.error.issues.map(({ path, message }) => ({ field: String(path[0]), reason: message }));
  const faulty = new Set(faults.map(({ field }) => field));
  const rest = Object.fromEntries(Object.entries(table).filter(([key]) => !faulty.has(key)));
  return { values: schema.parse(rest), faults };
}

/** Keys with a greater edit distance are different words. */
const MAX_SLIP = 2;

/** Unknown keys that are almost a known key, with the key that was meant. */
export function misspelt(
  table: Readonly<Record<string, unknown>>,
  known: readonly string[],
): readonly { readonly key: string; readonly meant: string }[] {
  const strangers = Object.keys(table).filter((key) => !known.includes(key));
  return strangers.flatMap((key) => {
    const [meant] = nearestNames(key, known, 1, MAX_SLIP);
    return meant === undefined ? [] : [{ key, meant }];
  });
}
