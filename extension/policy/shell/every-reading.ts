import type { Verdict } from '../policy-types.ts';
import { hidesCommands } from './hidden-commands.ts';
import { withKnownVariables } from './known-variables.ts';
import { afterGlobalOptions } from './risky-git.ts';
import { riskOf } from './risky-options.ts';
import { type ParsedShell, programOf, type ReadableShell, type SubCommand } from './shell-types.ts';

/** The limit for a line that can't be parsed. Nobody writes more words, and checking each would take too long. */
const MAX_READINGS = 5000;
/** Rules match the first words of a command. */
const MAX_WORDS = 30;

/**
 * The strictest result of the rules that name commands, for every possible reading of a line: a command may be written
 * with quotes or with its folder, and in a line that can't be parsed reliably, every word may begin a command.
 * Undefined if no rule refuses or asks. `too many` if the check would take too long.
 */
export function strictestOf(
  line: string,
  parsed: ParsedShell,
  check: (command: string) => Verdict,
): { readonly text: string; readonly verdict: Verdict } | 'too many' | undefined {
  const spelled = parsed.parsed
    ? [...parsed.commands, ...withKnownVariables(parsed).commands].flatMap(spellingsOf)
    : [];
  const texts = parsed.parsed && !hidesCommands(parsed) ? textsRunBy(parsed) : [line];
  const possible = new Set(texts.flatMap((text) => [...possibleCommands(text)]));
  if (possible.size > MAX_READINGS) return 'too many';
  let asking: { readonly text: string; readonly verdict: Verdict } | undefined;
  for (const text of new Set([...spelled, ...possible])) {
    const verdict = check(text);
    // A rule without a pattern was already applied to the line itself.
    if (verdict.rule?.argsPattern === undefined) continue;
    if (verdict.decision === 'deny') return { text, verdict };
    if (verdict.decision === 'ask_user') asking ??= { text, verdict };
  }
  return asking;
}

/** Commands whose words may contain the text of other commands, as in `awk 'BEGIN { system("rm x") }'`. */
function textsRunBy({ commands }: ReadableShell): readonly string[] {
  return commands.filter((command) => riskOf(command) !== undefined).map(({ text }) => text);
}

/** Plain spellings of a command: without quotes, the program's folder and the options before git's subcommand. */
function spellingsOf(command: SubCommand): readonly string[] {
  const [, ...rest] = command.words.map(({ value, source }) => value ?? source);
  const name = programOf(command);
  if (name === undefined) return [];
  const texts = [[name, ...rest].join(' ')];
  const sub = name === 'git' ? afterGlobalOptions(command.words) : 1;
  if (sub > 1) texts.push([name, ...rest.slice(sub - 1)].join(' '));
  return texts.filter((text) => text !== command.text);
}

/** Every command that a text could contain if its quotes, escapes and comments were read differently. */
function possibleCommands(line: string): Set<string> {
  const joined = line.replace(/\\\r?\n/g, '');
  const found = new Set<string>();
  // A quote may end a word or be inside of it. A backslash may escape a character or be one itself.
  const texts = new Set([line, joined, joined.replace(/\$?["']|\\/g, ''), joined.replace(/["'\\]/g, ' ')]);
  for (const text of texts) {
    for (const piece of text.split(/[\n\r;&|!(){}`<>\u0085\u2028\u2029]+/)) {
      const words = piece.split(/\s+/).filter((word) => word !== '');
      for (const index of words.keys()) {
        found.add(words.slice(index, index + MAX_WORDS).join(' '));
        if (found.size > MAX_READINGS) return found;
      }
    }
  }
  return found;
}
