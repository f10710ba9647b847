import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ToHost } from '../../../extension/protocol/panel/host-messages.ts';
import type { Entry } from '../../../extension/protocol/transcript/transcript-entry.ts';
import { formatDuration } from '../../../webview/base/format.ts';
import { stepLine } from '../../../webview/conversation/tool-presentation.ts';
import { canSend, commandOf, EMPTY_COMPOSER } from '../../../webview/state/composer-state.ts';
import { PanelModel } from '../../../webview/state/panel-model.ts';
import { NOTHING_SAVED, type SavedView } from '../../../webview/state/saved-view.ts';
import { ToldConversation } from '../../support/panel/told-conversation.ts';

type ToolEntry = Extract<Entry, { kind: 'tool' }>;

const COMMAND: ToolEntry = {
  kind: 'tool',
  id: 'call-1',
  name: 'run_shell_command',
  subject: 'npm test',
  summary: '',
  status: 'running',
  detail: '',
};

describe('What is typed after an exclamation mark', () => {
  const open = (saved: SavedView = NOTHING_SAVED): { model: PanelModel; posted: ToHost[] } => {
    const posted: ToHost[] = [];
    const host = { post: (message: ToHost) => void posted.push(message), savedView: () => saved, saveView: () => 0 };
    const view = {
      changed() {},
      toSave() {},
      toSaveLater() {},
      focusApproval() {},
      focusInput() {},
      scrollToEnd() {},
      returnTo() {},
      openFind() {},
      showFound() {},
      colourCode() {},
      sheetClosed() {},
    };
    return { model: new PanelModel(host, view), posted };
  };

  it('is a command, with every line of it, and a mark elsewhere is none', () => {
    assert.equal(commandOf('!npm test'), 'npm test');
    assert.equal(commandOf('!for f in *\ndo echo $f\ndone\n'), 'for f in *\ndo echo $f\ndone');
    assert.equal(commandOf('Hello!'), undefined);
    assert.equal(commandOf(' !important'), undefined);
    assert.equal(canSend(EMPTY_COMPOSER, '! '), false);
  });

  it('is run and not said, also during a turn, and is not shown as a message on its way', () => {
    const { model, posted } = open();
    model.type('!npm test');
    model.send('!npm test', 'queue');
    assert.deepEqual(posted, [{ type: 'runCommand', ref: 1, command: 'npm test' }]);
    assert.equal(model.onItsWay, undefined);
    assert.equal(model.composer.draft, '');
    model.receive({ type: 'sent', ref: 1, refused: { title: 'The command was not run', detail: 'Restricted Mode' } });
    assert.equal(model.composer.draft, '!npm test');
    assert.equal(model.composer.refusal?.title, 'The command was not run');
  });

  it('does not come back into the input when the view was away and its card is there', () => {
    const pending = { ref: 1, text: '!npm test' };
    const typed: ToolEntry = { ...COMMAND, command: { state: 'running', startedAt: 1, typed: 'npm test' } };
    const { model } = open({ ...NOTHING_SAVED, lastRef: 1, pending });
    tell(model, [typed]);
    assert.equal(model.composer.draft, '');
    const { model: other } = open({ ...NOTHING_SAVED, lastRef: 1, pending });
    tell(other, [{ ...COMMAND, subject: 'npm test' }]);
    assert.equal(other.composer.draft, '!npm test');
  });

  it('is not the only thing that is done instead of said', () => {
    const { model, posted } = open();
    model.type('/compress\n');
    model.hold('a long text');
    model.send('/compress\n');
    model.receive({
      type: 'sent',
      ref: 1,
      refused: { title: 'The conversation was not compressed', detail: 'Nothing' },
    });
    model.send(' /compress it');
    assert.deepEqual(posted, [
      { type: 'slash', ref: 1, text: '/compress\n' },
      { type: 'send', ref: 2, text: ' /compress it' },
    ]);
    assert.equal(model.composer.held, 'a long text');
  });

  it('and waits for input is somebody’s turn, said once', () => {
    const { model } = open();
    const waiting: ToolEntry = { ...COMMAND, command: { state: 'waiting', startedAt: 1 } };
    const told = tell(model, [COMMAND]);
    const put = (entry: Entry): void => {
      told.change({ op: 'put', entry });
      told.feed.flush();
    };
    put(waiting);
    assert.equal(model.transcript.waiting, true);
    assert.equal(model.announcement.text, 'Waiting for input: npm test');
    const { count } = model.announcement;
    put({ ...waiting, detail: 'Name: ' });
    assert.equal(model.announcement.count, count);
    put(COMMAND);
    assert.equal(model.transcript.waiting, false);
  });
});

describe('The line of a command', () => {
  for (const [state, status, summary, expected] of [
    ['running', 'running', '', 'loading spin Running'],
    ['waiting', 'running', '', 'keyboard warn '],
    ['background', 'success', 'in background', 'server-process  Ran'],
    ['ended', 'success', 'exit 0', 'terminal  Ran'],
    ['ended', 'success', 'exit 1', 'error bad Ran'],
    ['lost', 'cancelled', 'stopped with the window', 'debug-disconnect  Lost'],
    ['lost', 'cancelled', 'stopped by you', 'debug-disconnect  Lost'],
  ] as const) {
    it(`that is ${state}${summary && `, ${summary},`} has its own sign`, () => {
      const { icon, tone, verb } = stepLine({ ...COMMAND, status, summary, command: { state } });
      assert.equal(`${icon} ${tone} ${verb}`, expected);
    });
  }

  it('says who ran it, and for how long', () => {
    const line = stepLine({ ...COMMAND, status: 'success', command: { state: 'ended', typed: 'npm test' } });
    assert.equal(line.verb, 'You ran');
    assert.deepEqual([40, 2140, 12_400, 65_000].map(formatDuration), ['0.0 s', '2.1 s', '12 s', '1 min 5 s']);
  });
});

function tell(model: PanelModel, entries: Entry[]): ToldConversation {
  const told = new ToldConversation(entries, (message) => model.receive(message));
  told.feed.open(model.arrival);
  return told;
}
