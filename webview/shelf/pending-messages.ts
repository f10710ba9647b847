import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { PendingMessage } from '../../extension/protocol/panel/panel-messages.ts';
import { announce, emit, postToHost } from '../base/events.ts';
import { type IconName, icon } from '../base/icons.ts';
import { shown } from '../base/shown-text.ts';

interface Words {
  readonly icon: IconName;
  readonly name: string;
  readonly hint: string;
  readonly edit: string;
  readonly withdraw: string;
  /** The announcement for screen readers when a message is withdrawn. */
  withdrawn(text: string): string;
}

const WORDS: Readonly<Record<PendingMessage['delivery'], () => Words>> = {
  steer: () => ({
    icon: 'debug-step-into',
    name: l10n.t('Steering'),
    hint: l10n.t('Joins the next step of this turn'),
    edit: l10n.t('Edit steering message'),
    withdraw: l10n.t('Withdraw steering message'),
    withdrawn: (text) => l10n.t('Withdrawn. Steering: {0}', text),
  }),
  queue: () => ({
    icon: 'list-ordered',
    name: l10n.t('Queued'),
    hint: l10n.t('Sent when this turn ends'),
    edit: l10n.t('Edit queued message'),
    withdraw: l10n.t('Withdraw queued message'),
    withdrawn: (text) => l10n.t('Withdrawn. Queued: {0}', text),
  }),
};

/** Messages that the agent has not received yet. Until then, they can be edited and withdrawn. */
export function pendingMessages(messages: readonly PendingMessage[], locked: boolean): TemplateResult | typeof nothing {
  if (messages.length === 0) return nothing;
  return html`<section class="pending" aria-label=${l10n.t('Pending messages')}>
    ${messages.map((message) => row(message, locked))}
  </section>`;
}

function row({ messageId, text, delivery }: PendingMessage, locked: boolean): TemplateResult {
  const words = WORDS[delivery]();
  const edit = (event: Event): void => postToHost(event.currentTarget as Element, { type: 'withdraw', messageId });
  const withdraw = (event: Event): void => {
    const from = event.currentTarget as Element;
    postToHost(from, { type: 'withdraw', messageId, forget: true });
    announce(from, words.withdrawn(text.slice(0, 80)));
    // The row is removed, and the focus with it.
    emit(from, 'gantry-leave', undefined);
  };
  return html`<div class="shelf-row" title=${words.hint}>
    ${icon(words.icon)}
    <span class="clamp grow"><b>${words.name}</b> ${shown(text)}</span>
    ${
      locked
        ? nothing
        : html`<button class="icon" type="button" aria-label=${words.edit} title=${l10n.t('Edit: back into the input')}
              @click=${edit}>${icon('edit')}</button>
            <button class="icon" type="button" aria-label=${words.withdraw} title=${l10n.t('Withdraw')}
              @click=${withdraw}>${icon('close')}</button>`
    }
  </div>`;
}
