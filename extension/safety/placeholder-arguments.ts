import * as l10n from '@vscode/l10n';
import { mapStrings } from './map-strings.ts';
import { masked, PLACEHOLDER, placeholderOf } from './placeholder.ts';
import type { FoundSecret } from './request-cleaner.ts';
import { SECRET_KINDS, secretKindText } from './secret-kinds.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** A call with its placeholders resolved. */
export interface MeantCall {
  /** The arguments with the secrets filled in. */
  readonly args: Arguments;
  /** Describes the secrets without revealing them. */
  readonly why: string;
  /** Replaces the secrets with placeholders again, for display and logs. */
  hide<Value>(value: Value): Value;
}

export type MeantArguments = { readonly meant: MeantCall } | { readonly refused: string };

/** Whether the arguments contain anything in the form of a placeholder. */
export function hasPlaceholder(args: Arguments): boolean {
  return idsIn(args).size > 0;
}

/** `isCommand`: a shell interprets the arguments, so secrets must not contain characters that are special to it. */
export function meantArguments(
  args: Arguments,
  secretOf: (id: string) => FoundSecret | undefined,
  isCommand: boolean,
): MeantArguments {
  const secrets = new Map<string, FoundSecret>();
  for (const id of idsIn(args)) {
    const secret = secretOf(id);
    if (!secret) return { refused: unknownPlaceholder(id) };
    if (isCommand && !SAFE_IN_A_COMMAND.test(secret.value)) return { refused: unsafeInCommand(secret) };
    secrets.set(id, secret);
  }
  const resolved = mapStrings(args, (text) =>
    text.replace(PLACEHOLDER, (whole, id: string) => secrets.get(id)?.value ?? whole),
  );
  const found = [...secrets.values()];
  return { meant: { args: resolved, why: whyAsked(found), hide: (value) => hidden(value, found) } };
}

/** Characters that every shell takes literally, with and without quotes. */
const SAFE_IN_A_COMMAND = /^[\w./+=:@%,-]+$/;

function idsIn(args: Arguments): Set<string> {
  const ids = new Set<string>();
  mapStrings(args, (text) => {
    for (const [, id = ''] of text.matchAll(PLACEHOLDER)) ids.add(id);
    return text;
  });
  return ids;
}

function whyAsked(secrets: readonly FoundSecret[]): string {
  const each = secrets.map(({ kind, where, value }) =>
    l10n.t('{0} from {1}, {2}', secretKindText(kind), where, masked(value)),
  );
  return secrets.length === 1
    ? l10n.t(
        'This call would insert a secret that the model does not know: {0}. Allow it only if the secret belongs there.',
        each.join('; '),
      )
    : l10n.t(
        'This call would insert secrets that the model does not know: {0}. Allow it only if the secrets belong there.',
        each.join('; '),
      );
}

/** Also hides single lines of a secret, because a diff puts a sign before each line of a key. */
function hidden<Value>(value: Value, secrets: readonly FoundSecret[]): Value {
  const pieces = secrets.flatMap(({ id, kind, value: secret }) => {
    const lines = secret.split(/\r?\n/).filter((line) => line.length >= SHORTEST_LINE);
    const escaped = JSON.stringify(secret).slice(1, -1);
    return [secret, escaped, ...lines].map((piece) => [piece, placeholderOf(id, kind)] as const);
  });
  return mapStrings(value, (text) => pieces.reduce((now, [piece, name]) => now.replaceAll(piece, () => name), text));
}

const SHORTEST_LINE = 6;

function unknownPlaceholder(id: string): string {
  return (
    `The arguments have the placeholder gantry-secret-${id}, and what it stands for is not known here (any more). ` +
    'Nothing was done. Read the file with the secret again, copy its placeholder exactly, or leave the secret out.'
  );
}

function unsafeInCommand({ kind, where }: FoundSecret): string {
  return (
    `The ${SECRET_KINDS[kind]} from ${where} has characters that a shell would interpret, so it is not put into a command. ` +
    'Nothing was run. Let the command read it from its file or from the environment.'
  );
}
