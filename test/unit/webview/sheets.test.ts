import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ToHost } from '../../../extension/protocol/panel/host-messages.ts';
import type { RewindFile, RewindPreview } from '../../../extension/protocol/panel/sheets-to-panel.ts';
import { grantWords, leavingWords, turnWords } from '../../../webview/rewind/rewind-words.ts';
import { beginEditing, canEdit, resendOf } from '../../../webview/state/editing.ts';
import { Sheets } from '../../../webview/state/sheets.ts';

const preview = (more: Partial<RewindPreview> = {}): RewindPreview => ({
  messageId: 'm',
  text: 'Do it',
  turn: 4,
  turns: 6,
  calls: 17,
  grants: [],
  files: [],
  commands: [],
  ...more,
});
const file: RewindFile = { path: '/w/a.ts', label: 'a.ts', kind: 'restore', removes: false };

function sheets(): { readonly sheets: Sheets; readonly posted: ToHost[]; readonly closed: boolean[] } {
  const posted: ToHost[] = [];
  const closed: boolean[] = [];
  return {
    sheets: new Sheets(undefined, {
      post: (message) => posted.push(message),
      changed() {},
      toSave() {},
      closed: (done) => closed.push(done),
    }),
    posted,
    closed,
  };
}

describe('A sheet in the place of the conversation', () => {
  it('asks what going back would do, goes back once, and is gone when that is done', () => {
    const { sheets: model, posted, closed } = sheets();
    model.open({ kind: 'rewind', messageId: 'm' });
    model.handlers.rewindPreview({ type: 'rewindPreview', preview: preview({ messageId: 'other' }) });
    assert.equal(model.rewind?.preview, undefined);
    model.handlers.rewindPreview({ type: 'rewindPreview', preview: preview() });
    model.goBack({ what: 'both', overwrite: ['/w/a.ts'] });
    model.goBack({ what: 'both', overwrite: [] });
    assert.deepEqual(posted, [
      { type: 'rewindPreview', messageId: 'm' },
      { type: 'rewind', messageId: 'm', what: 'both', overwrite: ['/w/a.ts'] },
    ]);
    model.handlers.rewound({ type: 'rewound', messageId: 'm' });
    assert.deepEqual([model.shown, closed], [undefined, [true]]);
  });

  it('stays with the reason when it was refused, and can be tried again', () => {
    const { sheets: model, posted } = sheets();
    model.open({ kind: 'rewind', messageId: 'm' });
    model.handlers.rewindPreview({ type: 'rewindPreview', preview: preview() });
    model.goBack({ what: 'files', overwrite: [] });
    model.handlers.rewindRefused({
      type: 'rewindRefused',
      messageId: 'm',
      title: 'Nothing was rewound',
      detail: 'No.',
    });
    assert.deepEqual([model.shown, model.rewind?.busy, model.rewind?.refusal?.detail], ['rewind', false, 'No.']);
    model.goBack({ what: 'files', overwrite: [] });
    assert.equal(posted.length, 3);
  });

  it('takes the answer to the last search only', () => {
    const { sheets: model } = sheets();
    const hit = { id: 's', before: '', match: 'x', after: '' };
    model.search('x');
    model.search('xy');
    model.handlers.sessionsFound({ type: 'sessionsFound', ref: 1, hits: [hit] });
    assert.equal(model.hits, undefined);
    model.handlers.sessionsFound({ type: 'sessionsFound', ref: 2, hits: [hit] });
    assert.deepEqual(model.hits, [hit]);
  });
});

describe('A message that is changed where it stands', () => {
  it('is not sent before it is known what becomes of files, nor without words', () => {
    const editing = beginEditing('m', 'Do it');
    assert.equal(resendOf(editing, 1), undefined);
    assert.equal(resendOf({ ...editing, text: ' ', preview: preview() }, 1), undefined);
  });

  it('puts files back unless the user keeps them, or there are none, or they have to stay', () => {
    const editing = { ...beginEditing('m', 'Do it well'), overwrite: ['/w/a.ts'] };
    const what = (more: Partial<RewindPreview>, chosen: 'both' | 'conversation' = 'both'): unknown => {
      const sent = resendOf({ ...editing, what: chosen, preview: preview(more) }, 3);
      return [sent?.what, sent?.overwrite.length];
    };
    assert.deepEqual(what({ files: [file] }), ['both', 1]);
    assert.deepEqual(what({ files: [file] }, 'conversation'), ['conversation', 0]);
    assert.deepEqual(what({}), ['conversation', 0]);
    assert.deepEqual(what({ files: [file], filesStay: 'Not trusted' }), ['conversation', 0]);
  });

  it('never becomes a command', () => {
    const text = (words: string): string | undefined =>
      resendOf({ ...beginEditing('m', words), preview: preview() }, 1)?.text;
    assert.equal(text('/clear'), ' /clear');
    assert.equal(text('!rm x'), ' !rm x');
    assert.equal(text('Hi'), 'Hi');
  });

  it('is not offered for what would not be quick in a field', () => {
    assert.equal(canEdit('x'.repeat(50_000)), true);
    assert.equal(canEdit('x'.repeat(50_001)), false);
  });

  it('asks the host, and keeps its words when the host says no', () => {
    const { sheets: model, posted } = sheets();
    model.edit('m', 'Do it');
    model.changeEdit({ text: 'Do it well' });
    assert.deepEqual(posted, [{ type: 'rewindPreview', messageId: 'm' }]);
    model.handlers.rewindRefused({ type: 'rewindRefused', messageId: 'm', title: 'Not now', detail: 'It runs.' });
    assert.deepEqual([model.editing?.text, model.editing?.refusal?.title], ['Do it well', 'Not now']);
    model.endEdit();
    assert.equal(model.editing, undefined);
  });
});

describe('What a rewind says', () => {
  it('counts what leaves', () => {
    assert.equal(leavingWords(preview()), '3 turns with 17 tool calls will be removed');
    assert.equal(leavingWords(preview({ turn: 6, calls: 1 })), '1 turn with 1 tool call will be removed');
    assert.equal(leavingWords(preview({ turn: 6, calls: 0 })), '1 turn will be removed');
    assert.equal(grantWords(preview({ grants: ['npm test'] })), '1 session approval ends: ');
    assert.equal(turnWords(preview()), 'Turn 4 of 6');
    assert.match(turnWords(preview({ at: Date.now() })), /^Turn 4 of 6 · \d\d:\d\d$/);
  });
});
