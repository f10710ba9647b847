import * as l10n from '@vscode/l10n';

/** The kind of a protected path, in the user's language. */
export function protectedWords(what: string): string {
  return WORDS[what]?.() ?? what;
}

const WORDS: Readonly<Record<string, () => string>> = {
  'settings of an editor': () => l10n.t('settings of an editor'),
  'settings of an agent': () => l10n.t('settings of an agent'),
  'instructions for agents': () => l10n.t('instructions for agents'),
  'part of an extension for agents': () => l10n.t('part of an extension for agents'),
  'internal data of a repository': () => l10n.t('internal data of a repository'),
  'hooks of a repository': () => l10n.t('hooks of a repository'),
  'a CI build': () => l10n.t('a CI build'),
  'a container that is opened as a workspace': () => l10n.t('a container that is opened as a workspace'),
  'a file that shells read when they start': () => l10n.t('a file that shells read when they start'),
  'settings of a package manager or build tool': () => l10n.t('settings of a package manager or build tool'),
  'settings of a task runner': () => l10n.t('settings of a task runner'),
  'scripts that package managers run': () => l10n.t('scripts that package managers run'),
  'settings of a tool that runs automatically': () => l10n.t('settings of a tool that runs automatically'),
  'keys and passwords': () => l10n.t('keys and passwords'),
  'a list of scheduled jobs': () => l10n.t('a list of scheduled jobs'),
  'a program that starts automatically': () => l10n.t('a program that starts automatically'),
  'settings of git': () => l10n.t('settings of git'),
  'settings of gh': () => l10n.t('settings of gh'),
  'a path with a NUL character in it': () => l10n.t('a path with a NUL character in it'),
  'a path that could not be checked': () => l10n.t('a path that could not be checked'),
  'a settings file in your home folder': () => l10n.t('a settings file in your home folder'),
  'a file of the system': () => l10n.t('a file of the system'),
};
