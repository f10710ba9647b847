import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import type { SendKey } from '../../extension/protocol/panel/input-to-panel.ts';
import { icon } from '../base/icons.ts';
import { sendKeyWords } from './keys.ts';

export interface SendState {
  readonly running: boolean;
  /** True if another window has the session open. */
  readonly locked: boolean;
  /** True while the previous message is being sent. */
  readonly isPending: boolean;
  /** True if the input contains a command instead of a message. */
  readonly isCommand: boolean;
  readonly isBlank: boolean;
  readonly canSend: boolean;
  readonly sendKey: SendKey;
}

interface SendActions {
  readonly send: () => void;
  readonly queue: () => void;
  readonly stop: () => void;
}

/** The Send button. During a turn, also Stop, and Queue if the input contains a message. */
export function sendButtons(state: SendState, { send, queue, stop }: SendActions): TemplateResult {
  const { running, isCommand, isBlank, canSend } = state;
  const sendButton = html`<button class="icon send" type="button" aria-label=${l10n.t('Send')} title=${sendHint(state)}
    aria-disabled=${!canSend} @click=${send}>${icon('arrow-up')}</button>`;
  if (!running) return sendButton;
  const stopButton = html`<button class="icon stop" type="button" aria-label=${l10n.t('Stop')} title=${l10n.t('Stop (Escape)')}
    @click=${stop}>${icon('debug-stop')}</button>`;
  if (isCommand) return html`${stopButton} ${sendButton}`;
  if (isBlank) return stopButton;
  return html`<button class="ghost" type="button" aria-label=${l10n.t('Queue until this turn ends')}
      title=${l10n.t('Queue until this turn ends (Alt+Enter)')} aria-disabled=${!canSend} @click=${queue}>${l10n.t('Queue')}</button>
    ${stopButton} ${sendButton}`;
}

function sendHint({ running, locked, isPending, isCommand, canSend, sendKey }: SendState): string {
  const key = sendKeyWords(sendKey);
  if (locked) return l10n.t('Send: this session is read-only here');
  if (isPending) return l10n.t('Send: the previous message is being sent');
  if (isCommand) return canSend ? l10n.t('Run this command ({0})', key) : l10n.t('Run: write a command first');
  if (!canSend) return l10n.t('Send: write a message first');
  return running
    ? l10n.t('Send now to steer this turn ({0}), or queue it until the turn ends (Alt+Enter)', key)
    : l10n.t('Send ({0})', key);
}
