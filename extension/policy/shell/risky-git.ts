import * as l10n from '@vscode/l10n';
import { ownValue } from '../../base/objects.ts';
import { hasShortOption, isLongOption, mayBecomeOption } from './options.ts';
import type { ShellWord, SubCommand } from './shell-types.ts';

/** Global options that don't make git run or write anything. */
const HARMLESS_GLOBAL = new Set(
  '--no-pager -P --no-optional-locks --literal-pathspecs --no-replace-objects --version --help --no-lazy-fetch --bare'.split(
    ' ',
  ),
);

/** Options of any subcommand that run a program or write a file. */
const LONG =
  `--output --output-directory --ext-diff --textconv --exec --upload-pack --receive-pack --open-files-in-pager
  --extcmd --tool --gui --template --config --config-env --filters --show-signature --gpg-sign --paginate --edit --editor
  --separate-git-dir --reference --recurse-submodules --server-option --run --prompt --interactive --command
  --index-filter --tree-filter --msg-filter --env-filter --trailer`.split(/\s+/);
/** Exceptions: subcommands for which an option of `LONG` is harmless. */
const HARMLESS_LONG: Readonly<Record<string, readonly string[]>> = {
  commit: ['--edit', '--trailer'],
};

/** Subcommands whose purpose is to run or configure something. */
const RUNS = new Set(
  `config submodule filter-branch difftool mergetool credential credential-store credential-cache daemon send-email instaweb
  web--browse hook maintenance fsmonitor--daemon shell remote-ext remote-fd upload-pack receive-pack http-backend imap-send
  p4 svn cvsimport cvsserver archimport gui gitk citool var alias bundle fast-import fast-export replace update-ref
  symbolic-ref sparse-checkout worktree init clone`.split(/\s+/),
);

/** Short options that run a program or write a file, by subcommand. */
const SHORT: Readonly<Record<string, string>> = {
  grep: 'O',
  rebase: 'xi',
  archive: 'o',
  'format-patch': 'o',
  commit: 'S',
  tag: 'su',
  merge: 'S',
  fetch: 'u',
  am: 'S',
};

/** Options before the subcommand whose value is the next word. */
const GLOBAL_VALUES = /^(?:-C|-c|--(?:git-dir|work-tree|namespace|super-prefix|config-env|attr-source))$/;

/** The index of the subcommand among the words of `git`. */
export function afterGlobalOptions(words: readonly ShellWord[]): number {
  let index = 1;
  while (words[index]?.beginning.startsWith('-')) index += GLOBAL_VALUES.test(words[index]?.value ?? '') ? 2 : 1;
  return index;
}

/** Why this `git` command may do more than its first words say. */
export function gitRisk({ words }: SubCommand): string | undefined {
  let index = 1;
  for (; index < words.length; index += 1) {
    const { value, source } = words[index] as ShellWord;
    if (value === undefined) return l10n.t('{0}, which may become an option of `git`', source);
    if (!value.startsWith('-')) break;
    if (!HARMLESS_GLOBAL.has(value)) return l10n.t('the option {0} of `git`', value);
  }
  const sub = words[index]?.value;
  if (sub === undefined) return undefined;
  if (RUNS.has(sub)) return l10n.t('`git {0}`, which can run programs or change where git looks', sub);
  if (sub === 'bisect' && words[index + 1]?.value === 'run') return '`git bisect run`';
  return argumentsRisk(sub, words.slice(index + 1));
}

function argumentsRisk(sub: string, words: readonly ShellWord[]): string | undefined {
  const end = words.findIndex(({ value }) => value === '--');
  for (const [index, word] of words.entries()) {
    const { beginning, source } = word;
    // Known words count after `--` too, because it may be the value of an option: `git log -L -- --output=x`.
    if ((end < 0 || index < end) && mayBecomeOption(word))
      return l10n.t('{0}, which may become an option of `git {1}`', source, sub);
    if (hasShortOption(beginning, ownValue(SHORT, sub) ?? ''))
      return l10n.t('the option {0} of `git {1}`', beginning, sub);
    const isHarmless = ownValue(HARMLESS_LONG, sub)?.includes(beginning.replace(/=.*$/s, '')) ?? false;
    if (!isHarmless && isLongOption(beginning, LONG)) return l10n.t('the option {0} of `git {1}`', beginning, sub);
    if (/^(?:ext|fd)::/.test(beginning)) return l10n.t('the address {0} of `git {1}`', beginning, sub);
  }
  return undefined;
}
