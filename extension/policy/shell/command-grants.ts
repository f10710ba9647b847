import * as l10n from '@vscode/l10n';
import { exactCommandPattern } from '../rules/exact-patterns.ts';
import { riskOf } from './risky-options.ts';
import { safePrefix } from './safe-prefixes.ts';
import type { ParsedShell, SubCommand } from './shell-types.ts';

export interface CommandGrant {
  readonly id: string;
  readonly label: string;
  /** A description for people. */
  readonly covers: string;
  readonly rules: readonly GrantRule[];
}

export interface GrantRule {
  readonly commandPrefix?: string;
  readonly argsPattern?: string;
  readonly allowRedirection?: boolean;
}

/** Longer patterns are refused when rules are loaded. */
const MAX_PATTERN = 2048;

/** The grants that "for this session" and "always" offer, narrowest first. Empty if none can be remembered. */
export function commandGrants(parsed: ParsedShell, command: string, roots: readonly string[]): readonly CommandGrant[] {
  if (whyNotRemembered(parsed, command) !== undefined || !parsed.parsed) return [];
  const allowRedirection = parsed.hasRedirection ? { allowRedirection: true } : {};
  const texts = [...new Set([command, ...parsed.commands.map(({ text }) => text)])];
  const exact: CommandGrant = {
    id: 'exact',
    label: command,
    covers:
      texts.length > 1
        ? l10n.t('Exactly this line, and each of its commands on its own, in any folder of the workspace.')
        : l10n.t('Exactly this command, and no other, in any folder of the workspace.'),
    rules: texts.map((text) => ({ argsPattern: exactCommandPattern(text), ...allowRedirection })),
  };
  // A prefix that allows redirection could write any file, and a prefix is meaningless if the parser isn't sure of the
  // command.
  const isSure = !parsed.hasRedirection && parsed.isPlain;
  const prefix = isSure ? prefixGrant(parsed.commands, command, roots) : undefined;
  return prefix ? [exact, prefix] : [exact];
}

/** For people: why only this single call can be allowed. Undefined if it can be remembered. */
export function whyNotRemembered(parsed: ParsedShell, command: string): string | undefined {
  if (!parsed.parsed) return l10n.t('It cannot be saved as a rule, because {0}.', parsed.reason);
  const [concern] = parsed.concerns;
  if (concern !== undefined) return l10n.t('It cannot be saved as a rule, because of {0}.', concern);
  const tooLong = [command, ...parsed.commands.map(({ text }) => text)].some(
    (text) => exactCommandPattern(text).length > MAX_PATTERN,
  );
  return tooLong ? l10n.t('It is too long to be saved as a rule.') : undefined;
}

function prefixGrant(
  commands: readonly SubCommand[],
  line: string,
  roots: readonly string[],
): CommandGrant | undefined {
  const prefixes = commands.map((command) => prefixOf(command, roots));
  const known = prefixes.filter((prefix) => prefix !== undefined);
  // The rules match the whole line first, so the line must begin with one of the prefixes.
  if (known.length < prefixes.length || !known.some((prefix) => beginsWith(line, prefix))) return undefined;
  const distinct = [...new Set(known)];
  const names = distinct.map((prefix) => `\`${prefix}\``).join(` ${l10n.t('or')} `);
  return {
    id: 'prefix',
    label: distinct.join(', '),
    covers: l10n.t(
      'Every command that begins with {0}, in any folder of the workspace. Options that could make it run or write something else still require approval.',
      names,
    ),
    rules: distinct.map((commandPrefix) => ({ commandPrefix })),
  };
}

/** The beginning of a command that determines what it does. Undefined if only the whole command does. */
function prefixOf(command: SubCommand, roots: readonly string[]): string | undefined {
  if (riskOf(command) !== undefined) return undefined;
  const prefix = safePrefix(command, roots);
  return prefix !== undefined && beginsWith(command.text, prefix) ? prefix : undefined;
}

function beginsWith(text: string, prefix: string): boolean {
  return text === prefix || text.startsWith(`${prefix} `);
}
