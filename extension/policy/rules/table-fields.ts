import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { once } from '../../base/once.ts';
import { APPROVAL_MODES } from '../../protocol/agent/approval-mode.ts';
import { nearestNames } from '../../text/nearest-names.ts';

const nameField = once(() => z.string().min(1));
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

const DECISIONS = ['allow', 'deny', 'ask_user'] as const;
const CHECKER_TYPES = ['in-process', 'external'] as const;

/** A priority of 1000 would belong to the next tier. */
const MAX_PRIORITY = 999;

export const ruleFields = once(() =>
  z
    .object({
      ...matchFields(),
      subagent: nameField(),
      interactive: z.boolean(),
      decision: z.enum(DECISIONS),
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
        type: z.enum(CHECKER_TYPES),
        name: z.string(),
        required_context: z.array(z.string()).optional(),
        config: checkerConfig().optional(),
      }),
    })
    .partial(),
);

/** Something wrong with a field. */
export interface FieldFault {
  readonly field: string;
  /** The field, and the part of its value. */
  readonly path: readonly PropertyKey[];
  /** A clause without a final period. */
  readonly reason: string;
  /** As TOML: what was probably meant. */
  readonly instead?: string;
}

export interface ReadFields<T> {
  readonly values: T;
  readonly faults: readonly FieldFault[];
}

/** The schema of a table, whose fields are all optional. */
type Fields<T> = z.ZodType<T> & { readonly shape: Readonly<Record<string, z.ZodType>> };

/** Separates valid from invalid fields. Unknown keys are ignored. */
export function readFields<T>(schema: Fields<T>, table: Readonly<Record<string, unknown>>): ReadFields<T> {
  const whole = schema.safeParse(table);
  if (whole.success) return { values: whole.data, faults: [] };
  const issues = new Map<string, Issue[]>();
  for (const issue of whole.error.issues) {
    const field = String(issue.path[0]);
    const known = issues.get(field) ?? [];
    issues.set(field, known);
    if (known.length < MOST_FAULTS) known.push(innermost(issue));
  }
  const faults = [...issues.values()].flat().map((issue) => faultOf(issue, schema, table));
  const rest = Object.fromEntries(Object.entries(table).filter(([key]) => !issues.has(key)));
  return { values: schema.parse(rest), faults };
}

type Issue = z.core.$ZodIssue;

/** About one field. A list could have a hundred thousand values that are invalid. */
const MOST_FAULTS = 10;

/** If a value may be a text or a list, and is a list, the issue is the item that is no text. */
function innermost(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  const inside = issue.errors.flat().filter(({ path }) => path.length > 0);
  const [first] = inside;
  return first ? { ...first, path: [...issue.path, ...first.path] } : issue;
}

function faultOf(issue: Issue, { shape }: Fields<unknown>, table: Readonly<Record<string, unknown>>): FieldFault {
  const { path } = issue;
  const field = String(path[0]);
  const value = path.reduce<unknown>(valueAt, table);
  const isValid = (other: unknown): boolean =>
    shape[field]?.safeParse(withValue(table[field], path.slice(1), other)).success === true;
  const meant = likely(value).find(isValid);
  return { field, path, reason: reasonOf(issue), ...(meant !== undefined && { instead: JSON.stringify(meant) }) };
}

/** The value with another part at this path. */
function withValue(value: unknown, [key, ...path]: readonly PropertyKey[], other: unknown): unknown {
  if (key === undefined) return other;
  if (Array.isArray(value)) return value.map((item, at) => (at === key ? withValue(item, path, other) : item));
  return typeof value === 'object' ? { ...value, [key]: withValue(valueAt(value, key), path, other) } : value;
}

function valueAt(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null
    ? new Map<PropertyKey, unknown>(Object.entries(value)).get(String(key))
    : undefined;
}

/** Values that could be meant by this one, the likeliest first. All are the same in JSON and in TOML. */
function likely(value: unknown): readonly unknown[] {
  if (typeof value === 'number') return [Math.min(Math.max(Math.round(value), 0), MAX_PRIORITY), String(value)];
  if (typeof value === 'boolean') return [String(value)];
  if (typeof value !== 'string') return [];
  const words = [...DECISIONS, ...APPROVAL_MODES, ...CHECKER_TYPES];
  const letters = value.toLowerCase().replace(/[^a-z]/g, '');
  const longer = words.filter((word) => letters !== '' && word.toLowerCase().replace('_', '').startsWith(letters));
  const named = [...longer, ...nearestNames(value, words, words.length, MAX_SLIP)];
  const plain = /^(?:true|false|-?\d{1,9})$/i.test(value)
    ? [JSON.parse(value.toLowerCase().replace(/^(-?)0+(?=\d)/, '$1'))]
    : [];
  return [...plain, ...named, ...[...named, value].map((word) => [word])];
}

function reasonOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_value':
      return l10n.t('has to be one of {0}', issue.values.map((value) => JSON.stringify(value)).join(', '));
    case 'too_big':
    case 'too_small':
      if (issue.origin === 'string') return l10n.t('must not be empty; "*" means all');
      return l10n.t('has to be from {0} to {1}', 0, MAX_PRIORITY);
    case 'invalid_union':
      return l10n.t('has to be a text, or a list of texts');
    case 'invalid_type':
      return typeReason(issue.expected);
    default:
      return issue.message;
  }
}

function typeReason(expected: string): string {
  if (expected === 'string') return l10n.t('has to be a text');
  if (expected === 'boolean') return l10n.t('has to be true or false');
  if (expected === 'array') return l10n.t('has to be a list');
  if (expected === 'int' || expected === 'number') return l10n.t('has to be a whole number');
  return l10n.t('has to be a table');
}

/** Keys with a greater edit distance are different words. */
const MAX_SLIP = 2;

export interface UnknownKey {
  readonly key: string;
  /** The known key that was probably meant. */
  readonly meant: string | undefined;
}

export function unknownKeys(table: Readonly<Record<string, unknown>>, known: readonly string[]): readonly UnknownKey[] {
  const strangers = Object.keys(table).filter((key) => !known.includes(key));
  return strangers.map((key) => ({ key, meant: nearestNames(key, known, 1, MAX_SLIP)[0] }));
}
