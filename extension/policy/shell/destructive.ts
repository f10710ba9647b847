import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import { hasShortOption, isLongOption, splitArguments } from './options.ts';
import { programOf, type ReadableShell, type SubCommand } from './shell-types.ts';
import { pathOf } from './shell-writes.ts';

const DEVICE = /^\/dev\/(?!null$|stdout$|stderr$|tty$|fd\/)/;
const RECURSIVE_CHANGES = new Set(['chmod', 'chown', 'chgrp']);

/**
 * Why a command could destroy a disk, a home folder or the workspace, for people. Such a command asks in every mode,
 * whatever the rules say.
 */
export function destructionOf(
  command: string,
  shell: ReadableShell | undefined,
  places: { readonly home: string; readonly roots: readonly string[] },
): string | undefined {
  if (multiplies(command)) return l10n.t('a function that calls itself without end');
  for (const each of shell?.commands ?? []) {
    const found = destructiveCommand(each, places);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Detects a function that calls itself twice in the background (a fork bomb): `:(){ :|:& };:`. */
function multiplies(command: string): boolean {
  if (!/\([ \t]*\)/.test(command)) return false;
  const tokens = command.match(/[^\s(){};|&]+|[(){};|&]/g) ?? [];
  const defined = new Set<string>();
  return tokens.some((token, at) => {
    if (token === '}') defined.clear();
    const [second, third, fourth] = [tokens[at + 1], tokens[at + 2], tokens[at + 3]];
    if (second === '(' && third === ')' && fourth === '{') defined.add(token);
    return second === '|' && third === token && fourth === '&' && defined.has(token);
  });
}

export function destructiveCommand(
  command: SubCommand,
  places: { readonly home: string; readonly roots: readonly string[] },
): string | undefined {
  const name = programOf(command) ?? '';
  if (/^(?:mkfs(?:\..*)?|wipefs|mkswap)$/.test(name)) return l10n.t('`{0}`, which erases a disk', name);
  if (command.writes.some((word) => DEVICE.test(word.beginning))) return l10n.t('writing to a device');
  const { options, operands } = splitArguments(command.words);
  if (
    name === 'dd' &&
    operands.some(({ beginning }) => beginning.startsWith('of=') && DEVICE.test(beginning.slice(3)))
  ) {
    return l10n.t('`dd` that writes to a device');
  }
  if (/^(?:shred|tee|cp|mv)$/.test(name) && operands.some(({ beginning }) => DEVICE.test(beginning)))
    return l10n.t('writing to a device');
  const recursive = options.some((option) => hasShortOption(option, 'rR') || isLongOption(option, ['--recursive']));
  const deletes =
    (name === 'rm' && recursive) || (name === 'find' && command.words.some(({ value }) => value === '-delete'));
  if (!deletes && !(RECURSIVE_CHANGES.has(name) && recursive)) return undefined;
  const targets = name === 'find' ? operands.slice(0, 1) : operands;
  const whole = targets.find((word) => isWhole(pathOf(word) ?? word.source, places));
  // People use `find . -delete` with conditions to clean up.
  if (!whole || (name === 'find' && !isOutside(pathOf(whole) ?? '', places))) return undefined;
  return l10n.t('`{0}` on everything in {1}', name, whole.source);
}

function isOutside(path: string, { roots }: { readonly roots: readonly string[] }): boolean {
  return /^(?:\/|~|\.\.)/.test(path) && !roots.includes(path);
}

/** The root of the disk, the home folder, a workspace folder, or a folder that contains one of these. */
function isWhole(path: string, { home, roots }: { readonly home: string; readonly roots: readonly string[] }): boolean {
  const slashed = path.replaceAll('\\', '/').replace(/^["']|["']$/g, '');
  const folder = posix.normalize(
    slashed.replace(/(?:^|\/)(?:\*|\.\*|\{.+\})$/, '') || (slashed.startsWith('/') ? '/' : '.'),
  );
  const trimmed = folder.length > 1 ? folder.replace(/\/+$/, '') : folder;
  if (/^(?:\/|\.|~|[A-Za-z]:)$/.test(trimmed) || /^(?:\.\.\/?)+$/.test(trimmed) || /^~[^/]*$/.test(trimmed))
    return true;
  const kept = [home, ...roots]
    .map((each) => each.replaceAll('\\', '/').replace(/\/+$/, ''))
    .filter((each) => each !== '');
  return kept.some((each) => each === trimmed || each.startsWith(`${trimmed}/`));
}
