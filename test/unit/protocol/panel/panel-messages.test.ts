import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { readHostMessage } from '../../../../extension/protocol/panel/host-messages.ts';
import { toPanelSchema } from '../../../../extension/protocol/panel/panel-messages.ts';

const WRONG: readonly [string, unknown][] = [
  ['nothing', undefined],
  ['null', null],
  ['a string', 'send'],
  ['an array', [{ type: 'ready' }]],
  ['an unknown type', { type: 'runCommand', command: 'workbench.action.quit' }],
  ['a missing field', { type: 'send', ref: 1 }],
  ['a field of the wrong type', { type: 'send', ref: '1', text: 'x' }],
  ['a fraction for a number', { type: 'send', ref: 0.5, text: 'x' }],
  ['a field too many', { type: 'ready', also: 'this' }],
  ['a prototype in disguise', JSON.parse('{"type":"ready","__proto__":{"x":1}}')],
  ['a way to go back that there is not', { type: 'rewind', messageId: 'm', what: 'everything', overwrite: [] }],
  ['paths that are none', { type: 'resend', ref: 1, messageId: 'm', text: 'x', what: 'both', overwrite: [1] }],
  ['a name that is far too long', { type: 'renameSession', id: 's', title: 'x'.repeat(1001) }],
  ['a text that is far too long', { type: 'copy', text: 'x'.repeat(17 * 1024 * 1024) }],
];

describe('Panel messages', () => {
  for (const [name, message] of WRONG) {
    it(`from the webview are refused when they are ${name}`, () => {
      assert.equal(readHostMessage(message).success, false);
    });
  }

  it('never make the parser throw, whatever they are', async () => {
    await fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withObjectString: true }), (message) => {
        readHostMessage(message);
        toPanelSchema.safeParse(message);
      }),
    );
  });

  it('are taken as they are when they fit', () => {
    const message = { type: 'send', ref: 1, text: 'hello' };
    assert.deepEqual(readHostMessage(message).data, message);
  });
});
