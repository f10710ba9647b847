import * as l10n from '@vscode/l10n';
import type { SendKey } from '../../extension/protocol/panel/input-to-panel.ts';

export type ComposerAction = 'send' | 'queue' | 'stop' | 'none';

export interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  readonly isComposing: boolean;
  readonly keyCode: number;
}

/** The key code that some browsers report, without setting isComposing, for a key that an input method handled. */
const TAKEN_BY_INPUT_METHOD = 229;

/** True if an input method handles the key: there, Enter chooses a word. */
export function isComposing(press: Pick<KeyPress, 'isComposing' | 'keyCode'>): boolean {
  return press.isComposing || press.keyCode === TAKEN_BY_INPUT_METHOD;
}

/** During a turn, Enter steers it, and Alt+Enter queues the message until the turn ends. */
export function composerKey(press: KeyPress, running: boolean, sendKey: SendKey = 'enter'): ComposerAction {
  if (isComposing(press)) return 'none';
  if (press.key === 'Enter') return enterAction(press, running, sendKey);
  const isPlain = !press.ctrlKey && !press.metaKey && !press.altKey;
  return press.key === 'Escape' && isPlain && running ? 'stop' : 'none';
}

function enterAction(
  { ctrlKey, metaKey, altKey, shiftKey }: KeyPress,
  running: boolean,
  sendKey: SendKey,
): ComposerAction {
  const withControl = ctrlKey || metaKey;
  if (altKey) return !shiftKey && !withControl && running ? 'queue' : 'none';
  if (sendKey === 'ctrlEnter') return withControl && !shiftKey ? 'send' : 'none';
  if (withControl) return 'none';
  return shiftKey === (sendKey === 'shiftEnter') ? 'send' : 'none';
}

/** The display name of the send key. */
export function sendKeyWords(sendKey: SendKey): string {
  return { enter: l10n.t('Enter'), ctrlEnter: l10n.t('Ctrl+Enter'), shiftEnter: l10n.t('Shift+Enter') }[sendKey];
}
