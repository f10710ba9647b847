import * as l10n from '@vscode/l10n';
import type { PanelState } from '../../extension/protocol/panel/panel-messages.ts';
import { formatCost, formatCount } from '../../extension/protocol/words/numbers.ts';

export type ContextUse = PanelState['context'];

type Line = readonly [name: string, value: string];

/** From this percentage on, the conversation will soon not fit any more. */
const NEARLY_FULL = 70;

export function percentUsed({ used, window }: ContextUse): number {
  return window <= 0 ? 0 : Math.min(100, Math.round((100 * used) / window));
}

export function isNearlyFull(use: ContextUse): boolean {
  return percentUsed(use) >= NEARLY_FULL;
}

/** "412k of 1M tokens", with a warning if the window is nearly full. */
export function usedWords(use: ContextUse): string {
  const [used, window] = [formatCount(use.used), formatCount(use.window)];
  return isNearlyFull(use)
    ? l10n.t('{0} of {1} tokens, nearly full', used, window)
    : l10n.t('{0} of {1} tokens', used, window);
}

/** The lines of the breakdown, each with a name and a number. */
export function contextLines({ used, window, masked, leftOut }: ContextUse): readonly Line[] {
  return [
    [l10n.t('Used'), formatCount(used)],
    [l10n.t('Free'), formatCount(Math.max(0, window - used))],
    ...(masked > 0 ? [[l10n.t('Old tool outputs kept in files'), String(masked)] as const] : []),
    ...(leftOut > 0 ? [[l10n.t('Old images and documents not sent'), String(leftOut)] as const] : []),
  ];
}

/** The usage of the whole session. It counts every request, including content that has left the window. */
export function spentLines({ input, output, cost }: PanelState['spent']): readonly Line[] {
  if (input + output === 0) return [];
  return [
    [l10n.t('This session'), l10n.t('{0} in, {1} out', formatCount(input), formatCount(output))],
    ...(cost === undefined ? [] : [[l10n.t('Cost'), formatCost({ amount: cost })] as const]),
  ];
}
