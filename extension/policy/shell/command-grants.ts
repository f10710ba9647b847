import * as l10n from '@vscode/l10n';
import { exactCommandPattern } from '../rules/exact-patterns.ts';
import { riskOf } from './risky-options.ts';
import { safePrefix } from './safe-prefixes.ts';
import type { ParsedShell, SubCommand } from './shell-types.ts';

export interface CommandGrant {
  readonly id: string;
  readonly label: string;
  /** In words. */
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

/** What "for this session" and "always" can be given for, the narrowest first. Empty where nothing can be remembered. */
export function commandGrants(parsed: ParsedShell, command: string): readonly CommandGrant[] {
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
  // A beginning that may be redirected could write any file, and for what is not read for certain no beginning counts.
  const isSure = !parsed.hasRedirection && parsed.written !== undefined;
  const prefix = isSure ? prefixGrant(parsed.commands, command) : undefined;
  return prefix ? [exact, prefix] : [exact];
}

/** Why only this one call can be allowed, for people; undefined when it can be remembered. */
export function whyNotRemembered(parsed: ParsedShell, command: string): string | undefined {
  if (!parsed.parsed) return l10n.t('It cannot be saved as a rule, because {0}.', parsed.reason);
  const [concern] = parsed.concerns;
  if (concern !== undefined) return l10n.t('It cannot be saved as a rule, because of {0}.', concern);
  const tooLong = [command, ...parsed.commands.map(({ text }) => text)].some(
    (text) => exactCommandPattern(text).length > MAX_PATTERN,
  );
  return tooLong ? l10n.t('It is too long to be saved as a rule.') : undefined;
}

function prefixGrant(commands: readonly SubCommand[], line: string): CommandGrant | undefined {
  const prefixes = commands.map(prefixOf);
  const known = prefixes.filter((prefix) => prefix !== undefined);
  // The rules see the whole line first, and it has to begin with one of them.
  if (known.length < prefixes.length || !known.some((prefix) => beginsWith(line, prefix))) return undefined;
  const distinct = [...new Set(known)];
  const names = distinct.map((prefix) => `\`${prefix}\``).join(` ${l10n.t('or')} `);
  return {
    id: 'prefix',
    label: distinct.join(', '),
    covers: l10n.t(
      'Every command that begins with {0}, in any folder of the workspace. Options that could make it run or write something else still ask.',
      names,
    ),
    rules: distinct.map((commandPrefix) => ({ commandPrefix })),
  };
}

/** The beginning of a command that says what it does; undefined when only the whole of it does. */
function prefixOf(command: SubCommand): string | undefined {
  if (riskOf(command) !== undefined) return undefined;
  const prefix = safePrefix(command);
  return prefix !== undefined && beginsWith(command.text, prefix) ? prefix : undefined;
}

function beginsWith(text: string, prefix: string): boolean {
  return text === prefix || text.startsWith(`${prefix} `);
}
