import * as l10n from '@vscode/l10n';

/** What is said of a question whose time was over. */
export function nobodyAnswered(minutes: number): string {
  return minutes === 1
    ? l10n.t('Nobody answered within 1 minute')
    : l10n.t('Nobody answered within {0} minutes', minutes);
}

/** After how many minutes it was given up; undefined for what ended in another way. */
export function timeoutOf(data: Readonly<Record<string, unknown>> | undefined): number | undefined {
  const minutes = data?.['timeout'];
  return typeof minutes === 'number' ? minutes : undefined;
}
