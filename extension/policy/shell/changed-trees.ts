import { normalize } from 'node:path/posix';
import { ownValue } from '../../base/objects.ts';
import { isUsuallyAround, mayMatchProtected } from '../protected-paths.ts';
import { hasShortOption, isLongOption, splitArguments } from './options.ts';
import { isReader } from './read-only.ts';
import { afterGlobalOptions } from './risky-git.ts';
import { riskOf } from './risky-options.ts';
import { literalWord, programOf, type ReadableShell, type ShellWord, type SubCommand } from './shell-types.ts';
import { targetsOf } from './shell-writes.ts';

/** Options with which programs change, move or remove everything in their operands. */
const RECURSIVE: Readonly<Record<string, readonly [short: string, ...long: readonly string[]]>> = {
  rm: ['rR', '--recursive'],
  chmod: ['R', '--recursive'],
  chown: ['R', '--recursive'],
  chgrp: ['R', '--recursive'],
  setfacl: ['R', '--recursive'],
  chattr: ['R'],
  rsync: ['', '--remove-source-files'],
  tar: ['', '--remove-files'],
  zip: ['m', '--move'],
  '7z': ['s'],
};

const HERE = literalWord('.');

/** The folders that a line changes with whatever is in them: by removing, moving, searching or copying over them. */
export function changedTrees({ commands }: ReadableShell): readonly ShellWord[] {
  const trees = commands.flatMap((command) => {
    const name = programOf(command) ?? '';
    const { options, operands } = splitArguments(command.words);
    const [short = '', ...long] = ownValue(RECURSIVE, name) ?? [];
    if (options.some((each) => hasShortOption(each, short) || isLongOption(each, long))) return operands;
    if (name === 'find') return foundTrees(command);
    if (name === 'git') return gitTrees(command);
    const isInto = options.some((each) => hasShortOption(each, 't') || isLongOption(each, ['--target-directory']));
    return name !== 'mv' ? copiedOver(command, name) : isInto ? operands : moved(operands);
  });
  return trees.filter(({ value }) => value !== '');
}

/** What is moved, and a new name such as `.github` that makes something in it protected. */
function moved(operands: readonly ShellWord[]): readonly ShellWord[] {
  const [end, ...others] = operands.toReversed();
  return end && !isUsuallyAround(end.beginning) ? others : operands;
}

/** `cp -r a/. b` and `cp -r a/* b` copy the names that are in the folder, whatever they are. */
function copiedOver({ words }: SubCommand, name: string): readonly ShellWord[] {
  if (!/^(?:cp|rsync|ditto|install|scp|ln)$/.test(name)) return [];
  const { options, operands } = splitArguments(words);
  // The last name of `$folder/a.txt` is known.
  const isPattern = operands.some(({ value, source }) => value === undefined && /[*?[$`][^/]*$/.test(source));
  const hasNoName = name === 'rsync' ? /\/\.?$/ : name === 'scp' ? /(?:^|[/:])\.?\/?$|[*?[]/ : /(?:^|\/)\.\/?$/;
  const isContents =
    name === 'ditto' ||
    options.some(
      (each) =>
        (name === 'cp' && hasShortOption(each, 'T')) || isLongOption(each, ['--no-target-directory', '--files-from']),
    ) ||
    isUsuallyAround(operands.at(-1)?.beginning ?? '') ||
    operands.slice(0, -1).some(({ value }) => value !== undefined && hasNoName.test(value));
  // With -t, the folder is any of the operands.
  return isPattern ? operands.filter(({ value }) => value !== undefined) : isContents ? operands.slice(-1) : [];
}

/** Words of `find` without a value. The others have one, apart from those that run a command. */
const ALONE = new Set(
  `-delete -print -print0 -ls -prune -quit -empty -readable -writable -executable -nouser -nogroup -true -false -depth -d
  -xdev -mount -follow -daystart -noleaf -ignore_readdir_race -noignore_readdir_race -warn -nowarn -a -and`.split(
    /\s+/,
  ),
);

/** The folders in which a `find` changes files, unless names exclude the protected ones. */
function foundTrees({ words }: SubCommand): readonly ShellWord[] {
  const start = words.findIndex(({ beginning }, at) => at > 0 && /^[-(!]/.test(beginning));
  // Options such as -L are before the folders.
  const folders = start === 1 ? [] : words.slice(1, start < 0 ? words.length : start);
  // Other folders, such as `$PWD`, may contain the workspace.
  const trees = folders.map((each) => (/^(?:[/~]|\.\.(?:\/|$))/.test(normalize(each.value ?? '/')) ? HERE : each));
  const limits: ShellWord[] = [];
  let limiting: readonly ShellWord[] | undefined;
  let isUnclear = start < 0;
  for (let at = Math.max(start, 1); at < words.length; at += 1) {
    const { value = '' } = words[at] as ShellWord;
    if (value === '-delete') limiting ??= [...limits];
    else if (/^-(?:exec|ok)(?:dir)?$/.test(value)) {
      const rest = words.slice(at + 1);
      const end = rest.findIndex(
        (each, index) => each.value === ';' || (each.value === '+' && rest[index - 1]?.value === '{}'),
      );
      const run = { words: end < 0 ? rest : rest.slice(0, end), writes: [], text: '', redirects: false };
      if (!isReader(run) || riskOf(run) !== undefined || targetsOf(run).length > 0) limiting ??= [...limits];
      at += run.words.length + 1;
    } else if (/^(?:!|-not)$/.test(value)) {
      // What is excluded limits nothing.
      at += /^-i?(?:name|path|wholename)$/.test(words[at + 1]?.value ?? '') ? 2 : 0;
      isUnclear ||= words[at + 1]?.value === '(';
    } else if (/^(?:-o|-or|,)$/.test(value)) isUnclear = true;
    else if (value.startsWith('-') && !ALONE.has(value)) {
      at += value === '-fprintf' ? 2 : 1;
      const limit = /^-i?(?:name|path|wholename)$/.test(value) && limitOf(words[at]?.value ?? '*');
      if (limit) limits.push(limit);
    }
  }
  if (limiting === undefined) return [];
  // What stands behind the change doesn't limit it, and a name in one of several alternatives doesn't either.
  if (limiting.length > 0 && !isUnclear)
    return [limiting.find(({ value }) => value === '') ?? (limiting[0] as ShellWord)];
  return trees.length > 0 ? trees : [HERE];
}

/** The folder `src` of the pattern `./src/*`, or an empty word for a name that no protected file has. */
function limitOf(pattern: string): ShellWord | undefined {
  const [, folder] = /^(?:\.\/)?(\w[\w-]*)\//.exec(pattern) ?? [];
  if (!mayMatchProtected(pattern.replace(/^.*\//s, ''))) return literalWord('');
  return folder === undefined ? undefined : literalWord(folder);
}

/** Git expands patterns itself, and `:!x` means everything but x. */
function gitTrees({ words }: SubCommand): readonly ShellWord[] {
  const at = afterGlobalOptions(words);
  const { options, operands } = splitArguments(words.slice(at));
  const has = (short: string, ...long: readonly string[]): boolean =>
    options.some((option) => hasShortOption(option, short) || isLongOption(option, long));
  const paths = operands.map((word) => {
    if (/^:(?:[!^]|\(exclude|\/?$)/.test(word.beginning)) return HERE;
    const path = word.beginning.replace(/^:(?:\([^)]*\)|\/)/, '');
    return /[*?[]/.test(path) ? (limitOf(path) ?? HERE) : literalWord(path);
  });
  switch (words[at]?.value) {
    case 'checkout':
      // Without a tree, it discards what isn't committed.
      return operands.length > 1 ? paths : [];
    case 'restore':
      return has('s', '--source') ? paths : [];
    case 'rm':
      return has('n', '--cached', '--dry-run') ? [] : paths;
    case 'mv':
      return moved(paths);
    case 'clean':
      return has('n', '--dry-run') ? [] : paths.length > 0 ? paths : [HERE];
    default:
      return [];
  }
}
