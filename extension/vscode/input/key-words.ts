import type { SendKey } from '../../protocol/panel/input-to-panel.ts';

const CONTROL = process.platform === 'darwin' ? 'Cmd' : 'Ctrl';

/** The names of the keys on this platform. */
export function keyNames(sendKey: SendKey): {
  readonly send: string;
  readonly newLine: string;
  readonly control: string;
} {
  const [send, newLine] = keyWords(sendKey);
  return { send, newLine, control: CONTROL };
}

/** The names of the keys that send the message and that insert a line break. */
export function keyWords(sendKey: SendKey): readonly [string, string] {
  switch (sendKey) {
    case 'enter':
      return ['Enter', 'Shift+Enter'];
    case 'ctrlEnter':
      return [`${CONTROL}+Enter`, 'Enter'];
    case 'shiftEnter':
      return ['Shift+Enter', 'Enter'];
  }
}
