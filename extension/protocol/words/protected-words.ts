import * as l10n from '@vscode/l10n';

/** What a protected path is, for people. */
export function protectedWords(what: string): string {
  return WORDS[what]?.() ?? what;
}

const WORDS: Readonly<Record<string, () => string>> = {
  'settings of an editor': () => l10n.t('settings of an editor'),
  'settings of an agent': () => l10n.t('settings of an agent'),
  'instructions for agents': () => l10n.t('instructions for agents'),
  'part of an extension for agents': () => l10n.t('part of an extension for agents'),
  'the inside of a repository': () => l10n.t('the inside of a repository'),
  'hooks of a repository': () => l10n.t('hooks of a repository'),
  'a build that runs elsewhere': () => l10n.t('a build that runs elsewhere'),
  'a container that is opened as a workspace': () => l10n.t('a container that is opened as a workspace'),
  'a file that shells read when they start': () => l10n.t('a file that shells read when they start'),
  'settings of a package manager or build tool': () => l10n.t('settings of a package manager or build tool'),
  'settings of a task runner': () => l10n.t('settings of a task runner'),
  'scripts that package managers run': () => l10n.t('scripts that package managers run'),
  'settings of a tool that runs by itself': () => l10n.t('settings of a tool that runs by itself'),
  'keys and passwords': () => l10n.t('keys and passwords'),
  'a list of jobs that start by themselves': () => l10n.t('a list of jobs that start by themselves'),
  'a program that starts by itself': () => l10n.t('a program that starts by itself'),
  'settings of git': () => l10n.t('settings of git'),
  'settings of gh': () => l10n.t('settings of gh'),
  'a path with a NUL character in it': () => l10n.t('a path with a NUL character in it'),
  'a path that cannot be judged': () => l10n.t('a path that cannot be judged'),
  'a settings file in your home folder': () => l10n.t('a settings file in your home folder'),
  'a file of the system': () => l10n.t('a file of the system'),
};
