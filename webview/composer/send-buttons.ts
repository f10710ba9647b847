import { html, type TemplateResult } from 'lit';
import type { SendKey } from '../../extension/protocol/input-to-panel.ts';
import { icon } from '../icons.ts';
import { sendKeyWords } from './keys.ts';

export interface SendState {
  readonly running: boolean;
  /** Another window has the session. */
  readonly locked: boolean;
  /** The message before is on its way. */
  readonly isPending: boolean;
  /** It will be done, not said. */
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

/** Send; while something runs also Stop, and Queue for words. */
export function sendButtons(state: SendState, { send, queue, stop }: SendActions): TemplateResult {
  const { running, isCommand, isBlank, canSend } = state;
  const sendButton = html`<button class="icon send" type="button" aria-label="Send" title=${sendHint(state)}
    aria-disabled=${!canSend} @click=${send}>${icon('arrow-up')}</button>`;
  if (!running) return sendButton;
  const stopButton = html`<button class="icon stop" type="button" aria-label="Stop" title="Stop (Escape)"
    @click=${stop}>${icon('debug-stop')}</button>`;
  if (isCommand) return html`${stopButton} ${sendButton}`;
  if (isBlank) return stopButton;
  return html`<button class="ghost" type="button" aria-label="Queue for after this turn"
      title="Queue for after this turn (Alt+Enter)" aria-disabled=${!canSend} @click=${queue}>Queue</button>
    ${stopButton} ${sendButton}`;
}

function sendHint({ running, locked, isPending, isCommand, canSend, sendKey }: SendState): string {
  const key = sendKeyWords(sendKey);
  if (locked) return 'Send: this session can only be read here';
  if (isPending) return 'Send: the message before is on its way';
  if (isCommand) return canSend ? `Run this command (${key})` : 'Run: write a command first';
  if (!canSend) return 'Send: write a message first';
  return running ? `Send now and steer this turn (${key}), or queue it for after (Alt+Enter)` : `Send (${key})`;
}
