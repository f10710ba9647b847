import type { Verdict } from '../policy-types.ts';
import { hidesCommands } from './hidden-commands.ts';
import { afterGlobalOptions } from './risky-git.ts';
import { type ParsedShell, programOf, type SubCommand } from './shell-types.ts';

/** More words than this nobody writes in a line that cannot be read; looking at each of them would take too long. */
const MAX_READINGS = 5000;
/** What rules look for in a command stands among its first words. */
const MAX_WORDS = 30;

/**
 * What the strictest rule that names commands says of a line, however it is read: a command may be spelled with quotes or with
 * its folder, and of a line that cannot be read for certain every word may begin one. Undefined where no rule refuses
 * or asks; `too many` where it would take too long to find out.
 */
export function strictestOf(
  line: string,
  parsed: ParsedShell,
  check: (command: string) => Verdict,
): { readonly text: string; readonly verdict: Verdict } | 'too many' | undefined {
  const spelled = parsed.parsed ? parsed.commands.flatMap(spellingsOf) : [];
  const possible = parsed.parsed && !hidesCommands(parsed) ? new Set<string>() : possibleCommands(line);
  if (possible.size > MAX_READINGS) return 'too many';
  let asking: { readonly text: string; readonly verdict: Verdict } | undefined;
  for (const text of new Set([...spelled, ...possible])) {
    const verdict = check(text);
    // A rule for every command has been asked about the line itself.
    if (verdict.rule?.argsPattern === undefined) continue;
    if (verdict.decision === 'deny') return { text, verdict };
    if (verdict.decision === 'ask_user') asking ??= { text, verdict };
  }
  return asking;
}

/** The command in plain words: without quotes, without the program's folder, without what stands before git's sub-command. */
function spellingsOf(command: SubCommand): readonly string[] {
  const [, ...rest] = command.words.map(({ value, source }) => value ?? source);
  const name = programOf(command);
  if (name === undefined) return [];
  const texts = [[name, ...rest].join(' ')];
  const sub = name === 'git' ? afterGlobalOptions(command.words) : 1;
  if (sub > 1) texts.push([name, ...rest.slice(sub - 1)].join(' '));
  return texts.filter((text) => text !== command.text);
}

/** Every command that a text could hold, if its quotes, escapes and comments were others than they seem. */
function possibleCommands(line: string): Set<string> {
  const joined = line.replace(/\\\r?\n/g, '');
  const found = new Set<string>();
  // Quotes may end a word, or stand inside one; a backslash may hide a character or be one.
  const texts = new Set([line, joined, joined.replace(/\$?["']|\\/g, ''), joined.replace(/["'\\]/g, ' ')]);
  for (const text of texts) {
    for (const piece of text.split(/[\n\r;&|(){}`<>\u0085\u2028\u2029]+/)) {
      const words = piece.split(/\s+/).filter((word) => word !== '');
      for (const index of words.keys()) {
        found.add(words.slice(index, index + MAX_WORDS).join(' '));
        if (found.size > MAX_READINGS) return found;
      }
    }
  }
  return found;
}
