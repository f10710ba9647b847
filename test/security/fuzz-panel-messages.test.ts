import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { afterEach, describe, it } from 'mocha';
import { readHostMessage, type ToHost } from '../../extension/protocol/panel/host-messages.ts';
import { toPanelSchema } from '../../extension/protocol/panel/panel-messages.ts';
import { PanelModel } from '../../webview/state/panel-model.ts';
import { NOTHING_SAVED } from '../../webview/state/saved-view.ts';
import { damaged, withField } from '../support/panel/damaged.ts';
import { said } from '../support/panel/entries.ts';
import { TO_HOST, TO_PANEL } from '../support/panel/samples.ts';
import { runs } from '../support/test-size.ts';

/** More than any message may have. */
const TOO_LONG = 'x'.repeat(17 * 1024 * 1024);

describe('Messages between the panel and its host', () => {
  afterEach(() => {
    assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false);
    assert.equal('polluted' in {}, false);
  });

  it('are taken when they are whole', () => {
    for (const message of Object.values(TO_HOST)) assert.deepEqual(readHostMessage(message).data, message);
    for (const message of Object.values(TO_PANEL)) assert.deepEqual(toPanelSchema.parse(message), message);
  });

  for (const [type, message] of Object.entries(TO_HOST)) {
    it(`do nothing to the host as a damaged "${type}"`, () => {
      for (const wrong of damaged(message)) assert.equal(readHostMessage(wrong).success, false, shown(wrong));
    });
  }

  it('do nothing to the host when a text is too long', () => {
    for (const message of Object.values(TO_HOST)) {
      for (const [key, value] of Object.entries(message)) {
        if (typeof value !== 'string' || key === 'type') continue;
        assert.equal(readHostMessage({ ...message, [key]: TOO_LONG }).success, false, `${message.type}.${key}`);
      }
    }
  });

  it('cannot give an answer other answers than its own', () => {
    const answers = withField({}, '__proto__', 'yes');
    const read = readHostMessage({ ...TO_HOST.answer, answers });
    if (read.success && read.data.type === 'answer') {
      assert.equal(Object.getPrototypeOf(read.data.answers), Object.prototype);
      assert.deepEqual(Object.keys(read.data.answers ?? {}), []);
    }
  });

  for (const [type, message] of Object.entries(TO_PANEL)) {
    it(`change nothing in the panel as a damaged "${type}"`, () => {
      const { model, posted } = openPanel();
      const before = JSON.stringify(look(model));
      for (const wrong of damaged(message)) {
        model.receive(wrong);
        assert.equal(posted.at(-1)?.type, 'viewError', shown(wrong));
        assert.ok(JSON.stringify(posted.pop()).length < 10_000, 'the report is short');
      }
      assert.equal(JSON.stringify(look(model)), before);
      assert.deepEqual(posted, []);
    });
  }

  it('change nothing, whatever they are made of', async () => {
    const { model } = openPanel();
    const before = JSON.stringify(look(model));
    const anything = fc.anything({ withNullPrototype: true, withBigInt: true, withMap: true, withDate: true });
    const typed = fc.record({ type: fc.constantFrom(...Object.keys(TO_PANEL)), more: anything });
    await fc.assert(
      fc.property(fc.oneof(anything, typed), (message) => {
        model.receive(message);
        readHostMessage(message);
      }),
      { numRuns: runs(200, 2000) },
    );
    assert.equal(JSON.stringify(look(model)), before);
  });
});

function openPanel(): { readonly model: PanelModel; readonly posted: ToHost[] } {
  const posted: ToHost[] = [];
  const host = {
    post: (message: ToHost) => void posted.push(message),
    savedView: () => NOTHING_SAVED,
    saveView: () => 0,
  };
  const view = {
    changed() {},
    toSave() {},
    toSaveLater() {},
    focusInput() {},
    focusApproval() {},
    scrollToEnd() {},
    returnTo() {},
    openFind() {},
    sheetClosed() {},
    showFound() {},
    colourCode() {},
  };
  const model = new PanelModel(host, view, () => 0);
  const facts = { waiting: [], unanswered: [], open: [], retrying: false, pending: [] };
  model.receive({ type: 'transcript', total: 1, start: 0, entries: [said('Still here')], facts });
  return { model, posted };
}

/** All that a reader could see of it. */
function look(model: PanelModel): unknown {
  const { state, composer, attachments, editor, review, sheets, announcement, transcript, input } = model;
  const { total, entries, facts } = transcript;
  const { history, suggestions, notice, sendKey } = input;
  const around = { history, suggestions, notice, sendKey };
  const { shown, sessions, hits, rewind, editing } = sheets;
  const over = { shown, sessions, hits, rewind, editing };
  return { state, composer, attachments, editor, review, over, announcement, total, entries, facts, around };
}

function shown(message: unknown): string {
  const cut = (_key: string, value: unknown): unknown => (typeof value === 'string' ? value.slice(0, 100) : value);
  return (JSON.stringify(message, cut) ?? String(message)).slice(0, 300);
}
