import { foldPath } from '../../files/fold-path.ts';
import { protectedPath } from '../protected-paths.ts';

/** A command that a person approved. */
export interface ApprovedCommand {
  readonly command: string;
  /** The question said that the command changes a protected file. */
  readonly isGate: boolean;
}

export interface NamedFile {
  /** Relative to the workspace, because the workspace's own folder says nothing. */
  readonly name: string;
  /** It belongs to the data of a repository, whose folder may have any name. */
  readonly isGitData?: boolean;
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
 * hidden names don't.
 */
export function wasNamed({ name: path, isGitData }: NamedFile, { command, isGate }: ApprovedCommand): boolean {
  const words = command.split(/[\s"'`=<>|;&(){},]+/).filter((word) => word !== '');
  const tail = protectedTail(path);
  const whole = foldPath(path);
  if (isGate && words.some((word) => isAround(protectedTail(word), tail) || endsWith(foldPath(word), whole)))
    return true;
  const git = gitCommands(command);
  if (isGitData || tail?.[0] === '.git') return git.some((name) => WRITES_SETTINGS.has(name));
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

function endsWith(names: readonly string[], whole: readonly string[]): boolean {
  return whole.length > 0 && whole.every((name, at) => names.at(at - whole.length) === name);
}

function isManifest(path: string): boolean {
  return /(?:^|[\\/])package\.json$/i.test(path);
}

/** Options before the command whose value is the next word. */
const TAKES_VALUE = new Set('-C -c --git-dir --work-tree --namespace --config-env'.split(' '));

function gitCommands(command: string): readonly string[] {
  const words = command.split(/[\s"'`<>|;&(){},]+/);
  return words.flatMap((word, at) => {
    if (!/^(?:.*[\\/])?git$/.test(word)) return [];
    for (let next = at + 1; next < words.length; next++) {
      const option = words[next] ?? '';
      if (TAKES_VALUE.has(option)) next++;
      else if (!option.startsWith('-')) return [option];
    }
    return [];
  });
}

/** Counts commands by their separators. Counting one too many only means that a change is shown. */
function commandsIn(command: string): number {
  return command.split(/[;&|\n]+/).filter((part) => part.trim() !== '').length;
}
