import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type ApprovalKey, approvalKey } from '../../../webview/conversation/approval-answer.ts';

const NO_KEY = {
  key: '',
  shiftKey: false,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  isComposing: false,
  keyCode: 0,
  repeat: false,
};
const SOMEWHERE = { inText: false, onCard: false };

describe('On the card of a question', () => {
  const CASES: readonly [string, Partial<typeof NO_KEY>, Partial<typeof SOMEWHERE>, ApprovalKey][] = [
    ['Ctrl+Enter allows once', { key: 'Enter', ctrlKey: true }, {}, 'allow'],
    ['Cmd+Enter does too', { key: 'Enter', metaKey: true }, {}, 'allow'],
    ['Ctrl+Enter works in a field', { key: 'Enter', ctrlKey: true }, { inText: true }, 'allow'],
    ['Ctrl+Backspace rejects', { key: 'Backspace', ctrlKey: true }, {}, 'reject'],
    ['Ctrl+Backspace in a field takes back a word', { key: 'Backspace', ctrlKey: true }, { inText: true }, 'other'],
    ['Enter by itself does what it does', { key: 'Enter' }, { onCard: true }, 'other'],
    ['more keys at once mean something else', { key: 'Enter', ctrlKey: true, shiftKey: true }, {}, 'other'],
    ['a held Ctrl+Enter answers nothing', { key: 'Enter', ctrlKey: true, repeat: true }, {}, 'nothing'],
    ['a held Ctrl+Backspace answers nothing', { key: 'Backspace', ctrlKey: true, repeat: true }, {}, 'other'],
    ['a held Enter presses no button', { key: 'Enter', repeat: true }, {}, 'nothing'],
    ['a held blank presses no button', { key: ' ', repeat: true }, {}, 'nothing'],
    ['a held blank in a field is text', { key: ' ', repeat: true }, { inText: true }, 'other'],
    ['what an input method takes is left to it', { key: 'Enter', ctrlKey: true, isComposing: true }, {}, 'other'],
    ['also where it only shows by its code', { key: 'Enter', ctrlKey: true, keyCode: 229 }, {}, 'other'],
    ['Tab goes to what comes first', { key: 'Tab' }, { onCard: true }, 'next'],
    ['Tab inside goes on', { key: 'Tab' }, {}, 'other'],
    ['Shift+Tab goes back', { key: 'Tab', shiftKey: true }, { onCard: true }, 'other'],
  ];
  for (const [name, press, place, expected] of CASES) {
    it(name, () => assert.equal(approvalKey({ ...NO_KEY, ...press }, { ...SOMEWHERE, ...place }), expected));
  }
});
