import * as l10n from '@vscode/l10n';

/** For dates and numbers among texts: they are in the language of the texts, which may not be the one of VS Code. */
export function textLocale(): string {
  return l10n.t({ message: 'en', comment: 'The code of the language that this file translates to, such as de' });
}
