import { hasShortOption, isLongOption, splitArguments } from './options.ts';
import { programOf, type SubCommand } from './shell-types.ts';

/** Commands of Windows that change the machine. They mean nothing to bash, but a line may still be meant for another shell. */
const WINDOWS = new Set(
  `del erase rd net reg sc format mklink takeown icacls powershell pwsh cmd remove-item stop-process stop-service set-item
  new-item`.split(/\s+/),
);

/** What asks even though a rule allows it, unless the rule names exactly this command. One phrase for people. */
export function dangerOf(command: SubCommand): string | undefined {
  const name = programOf(command);
  if (name === undefined) return undefined;
  if (WINDOWS.has(name)) return `\`${name}\`, which changes the system`;
  const { options } = splitArguments(command.words);
  const forces = options.some(
    (option) => hasShortOption(option, 'fRr') || isLongOption(option, ['--force', '--recursive']),
  );
  if (name === 'rm' && forces) return '`rm` that deletes folders or does not ask';
  if (
    name === 'base64' &&
    options.some((option) => hasShortOption(option, 'o') || isLongOption(option, ['--output']))
  ) {
    return '`base64` that writes a file';
  }
  if (name !== 'git') return undefined;
  if (options.some((option) => /^(?:-c|--config-env)/.test(option))) return '`git` with settings of its own';
  return branchDanger(command);
}

const LISTS_BRANCHES = new Set(
  `-a -r -v -vv -l --all --list --remotes --show-current --verbose --color --no-color --sort --format --contains --no-contains
  --merged --no-merged --points-at --column --no-column`.split(/\s+/),
);

function branchDanger({ words }: SubCommand): string | undefined {
  const at = words.findIndex(({ value }) => value === 'branch');
  const { options } = splitArguments(words.slice(Math.max(at, 0)));
  const lists = at < 0 || options.every((option) => LISTS_BRANCHES.has(option.replace(/=.*$/s, '')));
  return lists ? undefined : '`git branch` that does more than list';
}
