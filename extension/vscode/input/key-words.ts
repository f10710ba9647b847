import type { SendKey } from '../../protocol/panel/input-to-panel.ts';

const CONTROL = process.platform === 'darwin' ? 'Cmd' : 'Ctrl';

/** Keys as they are called here. */
export function keyNames(sendKey: SendKey): {
  readonly send: string;
  readonly newLine: string;
  readonly control: string;
} {
  const [send, newLine] = keyWords(sendKey);
  return { send, newLine, control: CONTROL };
}

/** What sends, and what breaks the line, as they are called. */
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
