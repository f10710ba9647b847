import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { PanelState } from '../../extension/protocol/panel/panel-messages.ts';

export const ELSEWHERE_WORDS = 'sessions-elsewhere';

type Elsewhere = NonNullable<PanelState['elsewhere']>;

/** On the button that leads to the sessions: how many of the others need the user, or a dot for what they have answered. */
export function elsewhereBadge(elsewhere: PanelState['elsewhere']): TemplateResult | typeof nothing {
  if (!elsewhere) return nothing;
  const { needYou, answered } = elsewhere;
  const badge = needYou > 0 ? html`<span class="badge" aria-hidden="true">${needYou}</span>` : nothing;
  const dot = needYou === 0 && answered > 0 ? html`<span class="badge dot" aria-hidden="true"></span>` : nothing;
  return html`${badge}${dot}<span class="sr" id=${ELSEWHERE_WORDS}>${elsewhereWords(elsewhere)}</span>`;
}

export function elsewhereWords({ needYou, running, answered }: Elsewhere): string {
  const words: string[] = [];
  if (needYou === 1) words.push(l10n.t('Another session needs you.'));
  if (needYou > 1) words.push(l10n.t('{0} other sessions need you.', needYou));
  if (answered === 1) words.push(l10n.t('Another session has answered.'));
  if (answered > 1) words.push(l10n.t('{0} other sessions have answered.', answered));
  if (running === 1) words.push(l10n.t('Another session is running.'));
  if (running > 1) words.push(l10n.t('{0} other sessions are running.', running));
  return words.join(' ');
}
