import * as l10n from '@vscode/l10n';
import { hasShortOption, isLongOption, splitArguments } from './options.ts';
import { literalWord, programOf, type ReadableShell, type SubCommand } from './shell-types.ts';

/** Windows commands that change the system. They mean nothing to bash, but a line may be meant for another shell. */
const WINDOWS = new Set(
  `del erase rd net reg sc format mklink takeown icacls powershell pwsh cmd remove-item stop-process stop-service set-item
  new-item`.split(/\s+/),
);

/** Why a command asks although a rule allows it, unless the rule is for exactly this command. A phrase for people. */
export function dangerOf(command: SubCommand): string | undefined {
  const name = programOf(command);
  if (name === undefined) return undefined;
  if (WINDOWS.has(name)) return l10n.t('`{0}`, which changes the system', name);
  const { options, late } = splitArguments(command.words);
  const forces = options.some(
    (option) => hasShortOption(option, 'fRr') || isLongOption(option, ['--force', '--recursive']),
  );
  if (name === 'rm' && forces) return l10n.t('`rm` that deletes folders or does not ask');
  if (
    name === 'base64' &&
    [...options, ...late].some((option) => hasShortOption(option, 'o') || isLongOption(option, ['--output']))
  ) {
    return l10n.t('`base64` that writes a file');
  }
  if (name !== 'git') return undefined;
  if (options.some((option) => /^(?:-c|--config-env)/.test(option))) return l10n.t('`git` with its own settings');
  return branchDanger(command);
}

/** Options with which `git branch` only lists, as in Gemini CLI. Any other word may create, move or delete a branch. */
const LISTS_BRANCHES = new Set('-a -r -v -vv -l --all --list --remotes --show-current --verbose'.split(' '));

function branchDanger({ words }: SubCommand): string | undefined {
  const at = words.findIndex(({ value }) => value === 'branch');
  const rest = at < 0 ? [] : words.slice(at + 1);
  const lists = rest.every(({ value }) => LISTS_BRANCHES.has(value ?? '') || value?.startsWith('--format='));
  return lists ? undefined : l10n.t('`git branch` that does more than list');
}

const BY_LATER_WORDS = new Set(['base64', 'find', 'git', 'rg']);
const MARK = literalWord(';');

/**
 * Gemini CLI treats every word of the line as an argument of the first program, as in `find . | grep -delete`. A rule
 * for any command must not allow more here than there, so such a line asks here too.
 */
export function asOneCommand({ commands, hasRedirection }: ReadableShell): SubCommand | undefined {
  const [first, ...others] = commands;
  const name = first && programOf(first);
  if (!first || name === undefined || !BY_LATER_WORDS.has(name)) return undefined;
  const later = [first, ...others].flatMap(({ words, writes }, index) => [
    ...(index > 0 ? [MARK, ...words] : []),
    ...writes,
  ]);
  return { ...first, words: [...first.words, ...(hasRedirection ? [MARK] : []), ...later] };
}
