import { html, nothing, type TemplateResult } from 'lit';
import type { PendingMessage } from '../../extension/protocol/panel-messages.ts';
import { shown } from '../conversation/shown-text.ts';
import { announce, emit, postToHost } from '../events.ts';
import { type IconName, icon } from '../icons.ts';

interface Words {
  readonly icon: IconName;
  readonly name: string;
  readonly hint: string;
}

const WORDS: Readonly<Record<PendingMessage['delivery'], Words>> = {
  steer: { icon: 'debug-step-into', name: 'Steering', hint: 'Joins the next step of this turn' },
  queue: { icon: 'list-ordered', name: 'Queued', hint: 'Sent when this turn is over' },
};

/** What the user said during a turn and the agent did not get yet; until then it can be changed and taken back. */
export function pendingMessages(messages: readonly PendingMessage[], locked: boolean): TemplateResult | typeof nothing {
  if (messages.length === 0) return nothing;
  return html`<section class="pending" aria-label="Waiting messages">
    ${messages.map((message) => row(message, locked))}
  </section>`;
}

function row({ messageId, text, delivery }: PendingMessage, locked: boolean): TemplateResult {
  const { icon: sign, name, hint } = WORDS[delivery];
  const kind = name.toLowerCase();
  const edit = (event: Event): void => postToHost(event.currentTarget as Element, { type: 'withdraw', messageId });
  const withdraw = (event: Event): void => {
    const from = event.currentTarget as Element;
    postToHost(from, { type: 'withdraw', messageId, forget: true });
    announce(from, `Withdrawn. ${name}: ${text.slice(0, 80)}`);
    // The row goes, and the focus with it.
    emit(from, 'gantry-leave', undefined);
  };
  return html`<div class="shelf-row" title=${hint}>
    ${icon(sign)}
    <span class="clamp grow"><b>${name}</b> ${shown(text)}</span>
    ${
      locked
        ? nothing
        : html`<button class="icon" type="button" aria-label="Edit ${kind} message" title="Edit: back into the input"
              @click=${edit}>${icon('edit')}</button>
            <button class="icon" type="button" aria-label="Withdraw ${kind} message" title="Withdraw"
              @click=${withdraw}>${icon('close')}</button>`
    }
  </div>`;
}
