import { foldPath } from '../../files/fold-path.ts';
import { protectedPath } from '../protected-paths.ts';

/** A command that a person approved. */
export interface ApprovedCommand {
  readonly command: string;
  /** The question said that the command changes a protected file. */
  readonly isGate: boolean;
}

/** Only names are checked here, so the location of files doesn't matter. */
const NOWHERE = { home: '/nowhere', roots: [] };

/** Git subcommands that people run to change its settings (first), or to restore files (second). */
const WRITES_SETTINGS = new Set(
  'config remote submodule init clone lfs maintenance sparse-checkout worktree'.split(' '),
);
const CHECKS_OUT = new Set('checkout switch restore stash reset clone'.split(' '));

/**
 * Whether a person who read this command knew that it changes this file: the command names the file or the protected
 * folder around it, or it is a Git command for that purpose. Only the words of the command count, in any shell, so
 * hidden names don't. `path` is relative to the workspace, because the workspace's own folder says nothing.
 */
export function wasNamed(path: string, { command, isGate }: ApprovedCommand): boolean {
  const words = command.split(/[\s"'`=<>|;&(){},]+/).filter((word) => word !== '');
  const tail = protectedTail(path);
  const isGitData = tail?.[0] === '.git';
  if (isGate && words.some((word) => isAround(protectedTail(word), tail))) return true;
  const git = gitCommands(words);
  if (isGitData) return git.some((name) => WRITES_SETTINGS.has(name));
  if (git.some((name) => CHECKS_OUT.has(name)) && git.length === commandsIn(command)) return true;
  return (
    isManifest(path) &&
    (words.some(isManifest) || /\b(?:npm|pnpm|yarn)\s+(?:pkg\s+set|set-script|init)\b/.test(command))
  );
}

/** The path from its first protected name on, such as `.vscode/settings.json`. */
function protectedTail(path: string): readonly string[] | undefined {
  const names = foldPath(path);
  for (let end = 1; end <= names.length; end++) {
    for (let start = end - 1; start >= Math.max(0, end - LONGEST_NAME); start--) {
      if (protectedPath(names.slice(start, end).join('/'), NOWHERE)) return names.slice(start);
    }
  }
  return undefined;
}

/** Some names are protected only together, such as `.github/workflows`. */
const LONGEST_NAME = 3;

function isAround(named: readonly string[] | undefined, tail: readonly string[] | undefined): boolean {
  return named !== undefined && tail !== undefined && named.every((name, at) => tail[at] === name);
}

function isManifest(path: string): boolean {
  return /(?:^|[\\/])package\.json$/i.test(path);
}

function gitCommands(words: readonly string[]): readonly string[] {
  return words.flatMap((word, at) => {
    if (!/^(?:.*[\\/])?git$/.test(word)) return [];
    for (let next = at + 1; next < words.length; next++) {
      const option = words[next] ?? '';
      if (option === '-C' || option === '-c') next++;
      else if (!option.startsWith('-')) return [option];
    }
    return [];
  });
}

/** Counts commands by their separators. Counting one too many only means that a change is shown. */
function commandsIn(command: string): number {
  return command.split(/[;&|\n]+/).filter((part) => part.trim() !== '').length;
}
