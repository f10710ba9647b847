import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { carriesFiles, fileUrisIn } from '../../../webview/composer/dropped-files.ts';
import { EMPTY_COMPOSER, isSlash, typed } from '../../../webview/state/composer-state.ts';
import { switchedDrafts } from '../../../webview/state/input-model.ts';
import { parseSavedView } from '../../../webview/state/saved-view.ts';
import { Suggesting } from '../../../webview/state/suggesting.ts';
import { suggestion } from '../../support/panel/suggestions.ts';

describe('The drafts of sessions', () => {
  it('never lose words, however the user goes from one to the other', () => {
    const sessions = fc.constantFrom('', 'a', 'b', 'c');
    fc.assert(
      fc.property(fc.array(fc.tuple(sessions, fc.constantFrom('', 'x', 'y'))), (steps) => {
        const expected = new Map<string, string>();
        let [drafts, composer, session] = [[] as ReturnType<typeof switchedDrafts>['drafts'], EMPTY_COMPOSER, ''];
        for (const [next, words] of steps) {
          if (next !== session) ({ drafts, composer } = switchedDrafts(drafts, session, next, composer));
          session = next;
          assert.equal(composer.draft, expected.get(session) ?? '');
          composer = typed(composer, words);
          expected.set(session, words);
        }
      }),
    );
  });

  it('are forgotten from the oldest on when there are very many', () => {
    let [drafts, session] = [[] as ReturnType<typeof switchedDrafts>['drafts'], 's0'];
    for (let at = 1; at < 60; at++) {
      ({ drafts } = switchedDrafts(drafts, session, `s${at}`, typed(EMPTY_COMPOSER, 'words')));
      session = `s${at}`;
    }
    assert.equal(drafts.length, 30);
    assert.equal(drafts.at(-1)?.session, 's58');
  });

  it('are read from a view that another version saved', () => {
    assert.equal(parseSavedView({ version: 1, draft: 'kept', lastRef: 0, opened: [] }).draft, 'kept');
    assert.equal(parseSavedView({ version: 1, draft: 'x', lastRef: 0, opened: [], drafts: 'bad' }).draft, '');
  });
});

describe('The list above the input', () => {
  const groups = [{ title: '', items: [suggestion('a'), suggestion('b')] }];
  const asked: string[] = [];
  const open = (): Suggesting => {
    asked.length = 0;
    return new Suggesting((id, { query }) => void asked.push(`${id} ${query}`));
  };

  it('asks once for each text, and shows only the answer to the last question', () => {
    const list = open();
    list.follow('@a', 2);
    list.follow('@a', 2);
    list.follow('@ab', 3);
    assert.deepEqual(asked, ['1 a', '2 ab']);
    list.take({ id: 1, groups, pending: false });
    assert.deepEqual(list.groups, []);
    list.take({ id: 2, groups, pending: false });
    assert.equal(list.active?.label, 'a');
  });

  it('goes round at its ends', () => {
    const list = open();
    list.follow('@a', 2);
    list.take({ id: 1, groups, pending: false });
    list.move(-1);
    assert.equal(list.active?.label, 'b');
    list.move(1);
    assert.equal(list.active?.label, 'a');
  });

  it('stays closed after Escape until something else is typed', () => {
    const list = open();
    list.follow('@a', 2);
    list.take({ id: 1, groups, pending: false });
    list.close();
    list.follow('@ab', 3);
    assert.equal(list.isOpen, false);
    list.follow('@ab c @', 7);
    assert.equal(list.isOpen, true);
  });

  it('lets Enter take a mention of the list before, and no command of it', () => {
    const list = open();
    list.follow('@a', 2);
    list.take({ id: 1, groups, pending: false });
    list.follow('@ab', 3);
    assert.equal(list.chosen?.label, 'a');
    list.follow('/a', 2);
    list.take({ id: 3, groups, pending: false });
    assert.equal(list.chosen?.label, 'a');
    list.follow('/ab', 3);
    assert.equal(list.chosen, undefined);
  });
});

describe('A message with a slash', () => {
  it('is a command when it begins with one name', () => {
    for (const text of ['/', '/help', '/mcp:prompt x', '/plan do\nthis']) assert.ok(isSlash(text), text);
    for (const text of [' /help', '/usr/bin/x', '/a/b c', 'and /help', '//']) assert.ok(!isSlash(text), text);
  });
});

describe('What is dropped', () => {
  const data = (lists: Readonly<Record<string, string>>): Pick<DataTransfer, 'getData' | 'types'> => ({
    types: Object.keys(lists),
    getData: (type) => lists[type] ?? '',
  });

  it('is files by their addresses, of this machine or of the one VS Code works on', () => {
    const list = '# comment\r\nfile:///a.ts\r\nvscode-remote://wsl/b.ts\nhttps://x.test/\njavascript:alert(1)';
    assert.deepEqual(fileUrisIn(data({ 'text/uri-list': list })), ['file:///a.ts', 'vscode-remote://wsl/b.ts']);
    assert.deepEqual(fileUrisIn(data({ 'text/plain': 'file:///a.ts' })), []);
  });

  it('is words when it carries no files', () => {
    assert.ok(carriesFiles(data({ Files: '' })));
    assert.ok(!carriesFiles(data({ 'text/plain': 'words' })));
  });
});
