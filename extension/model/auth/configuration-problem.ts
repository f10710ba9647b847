import * as l10n from '@vscode/l10n';
import type { Problem } from '../../protocol/agent/problem.ts';
import type { KeySource } from './credentials.ts';

/** For problems found before sending, when the message is already in the conversation. */
export const kept = (): string => l10n.t('Your message is kept');

/** `next` says what was kept or what to do, as a sentence without its full stop. */
export function badConfiguration(title: string, what: string, next = kept()): Problem {
  return {
    kind: 'bad-configuration',
    title,
    detail: l10n.t('{0}. {1}.', what, next),
    actions: ['open-settings', 'retry'],
  };
}

export function keySourceWords(source: KeySource): string {
  return source === 'secret storage' ? l10n.t("VS Code's secret storage") : source;
}
