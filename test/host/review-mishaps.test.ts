import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { readFile, rename, rm, writeFile as writeToDisk } from 'node:fs/promises';
import * as vscode from 'vscode';
import { ProposalDiffs } from '../../extension/vscode/review/proposal-diffs.ts';
import { ProposalTexts } from '../../extension/vscode/review/proposal-texts.ts';
import { ProposedFile } from '../../extension/vscode/review/proposed-file.ts';
import type { ProposedQuestions } from '../../extension/vscode/review/proposed-questions.ts';
import { StaleProposals } from '../../extension/vscode/review/stale-proposals.ts';
import { WatchedReviewFiles } from '../../extension/vscode/review/watched-files.ts';
import { deferred } from '../support/deferred.ts';
import { encodeWithBom } from '../support/encoded-text.ts';
import { eventually } from '../support/poll.ts';
import { testHost } from '../support/test-host.ts';
import { detail } from './detail.ts';
import { ReviewDesk, replace, writeFile } from './review-desk.ts';

const FIVE = 'one\ntwo\nthree\nfour\nfive\n';

const MOST_TYPED = 500;

describe('While a proposed edit is reviewed', function () {
  // The first window to open a diff loads half of the workbench.
  this.timeout(60_000);
  let desk: ReviewDesk;

  beforeEach(async () => {
    desk = await ReviewDesk.create({ 'a.ini': FIVE });
  });
  afterEach(() => desk.dispose());

  const opened = (name: string): Thenable<vscode.TextDocument> =>
    vscode.workspace.openTextDocument(vscode.Uri.file(desk.path(name)));
  const accept = async (): Promise<string> => {
    const [item] = desk.review.reviews.items;
    await desk.review.proposed.accept(item?.id ?? '');
    return desk.told();
  };
  const becomes = (document: vscode.TextDocument, text: string): Promise<boolean> =>
    eventually(
      `the proposal ${JSON.stringify(text)}, not ${JSON.stringify(document.getText())}`,
      () => document.getText() === text,
    );

  it('text that is not saved is what is compared and what is kept', async () => {
    await desk.type(await opened('a.ini'), 0, 'zero, ');
    await desk.propose([replace('a.ini', 'two', '2')]);
    assert.equal((await desk.shown('a.ini')).getText(), `zero, ${FIVE.replace('two', '2')}`);
    await accept();
    assert.equal(await desk.text('a.ini'), `zero, ${FIVE.replace('two', '2')}`);
  });

  it('typing in the file goes into the proposal, and what the user made of that stays', async () => {
    await desk.propose([replace('a.ini', 'two', '2')]);
    const document = await desk.shown('a.ini');
    await desk.type(document, 4, 'mine\n');
    await desk.type(await opened('a.ini'), 0, 'zero\n');
    await becomes(document, 'zero\none\n2\nthree\nfour\nmine\nfive\n');
    const told = await accept();
    assert.equal(await desk.text('a.ini'), 'zero\none\n2\nthree\nfour\nmine\nfive\n');
    assert.match(told, /The user changed your edit/);
    assert.match(told, /\+mine/);
    assert.doesNotMatch(told, /\+zero/);
  });

  it('typing in the proposal while it is worked out anew is carried over', async () => {
    await desk.propose([replace('a.ini', 'two', '2')]);
    const document = await desk.shown('a.ini');
    await desk.type(await opened('a.ini'), 0, 'zero\n');
    let typed = '';
    await eventually('the change of the file in the proposal', async () => {
      // A text that was made meanwhile is made again. On a busy machine, that ends when the user stops typing.
      if (typed.length < MOST_TYPED) {
        await desk.type(document, document.lineCount - 1, 'mine\n');
        typed += 'mine\n';
      }
      return document.getText().startsWith('zero\n');
    });
    await becomes(document, `zero\n${FIVE.replace('two', '2')}${typed}`);
    await accept();
    assert.equal(await desk.text('a.ini'), `zero\n${FIVE.replace('two', '2')}${typed}`);
  });

  it('a text that was made from an older one than the document has is not put into it', async () => {
    await desk.propose([replace('a.ini', 'two', '2')]);
    const document = await desk.shown('a.ini');
    const texts = new ProposalTexts('gantry-test-texts');
    const before = document.getText();
    await desk.type(document, 0, 'mine\n');
    assert.equal(await texts.set(document.uri, 'new\n', before), false);
    assert.equal(document.getText(), `mine\n${before}`);
    texts.dispose();
  });

  it('a proposal that is worked out while VS Code moves the file does not become one for a new file', async () => {
    const edit = { path: desk.path('a.ini'), label: 'a.ini', before: FIVE, after: 'new\n' };
    const file = new ProposedFile('call', edit, 'gantry-test-moves');
    const workedOut = deferred<void>();
    const wanted: boolean[] = [];
    const question = { callId: 'call', waiting: { callId: 'call', requestId: 'ask', edits: [edit] }, files: [file] };
    const changed = new vscode.EventEmitter<void>();
    const stale = new StaleProposals({
      onDidChange: changed.event,
      files: [file],
      of: () => question,
      noteDraft: () => undefined,
      edits: {
        proposeAgain: async (_id: string, wants: (edits: readonly (typeof edit | { before: null })[]) => boolean) => {
          await workedOut.promise;
          wanted.push(wants([{ ...edit, before: null }]));
          return { kind: 'same' };
        },
      },
    } as unknown as ProposedQuestions);
    changed.fire();
    await desk.type(await opened('a.ini'), 0, 'zero\n');
    const looked = stale.shown(file);
    const move = new vscode.WorkspaceEdit();
    move.renameFile(vscode.Uri.file(desk.path('a.ini')), vscode.Uri.file(desk.path('b.ini')));
    await eventually('VS Code to take the edit', async () => vscode.workspace.applyEdit(move));
    await eventually('the word of the move', () => file.conflict !== undefined);
    workedOut.resolve();
    await looked;
    assert.ok(wanted.length > 0 && !wanted.includes(true));
    assert.match(file.conflict ?? '', /a\.ini was renamed to .*b\.ini/);
    stale.dispose();
  });

  it('a file that is deleted in the moment in which it is watched is not missed', async () => {
    const seen: string[] = [];
    const watched = new WatchedReviewFiles((path) => seen.push(path));
    watched.watch([desk.path('a.ini')]);
    rmSync(desk.path('a.ini'));
    await eventually('the end of the file', () => seen.length > 0);
    assert.deepEqual(seen, [desk.path('a.ini')]);
    watched.dispose();
  });

  it('a file that somebody else writes is compared anew', async () => {
    await desk.propose([replace('a.ini', 'two', '2')]);
    const document = await desk.shown('a.ini');
    await writeToDisk(desk.path('a.ini'), `${FIVE}six\n`);
    await becomes(document, `${FIVE.replace('two', '2')}six\n`);
    await accept();
    assert.equal(await desk.text('a.ini'), `${FIVE.replace('two', '2')}six\n`);
  });

  it('an edit that fits no longer cannot be accepted until it does again, and nothing of it is lost', async () => {
    await desk.propose([replace('a.ini', 'two', '2')]);
    const document = await desk.shown('a.ini');
    await desk.type(document, 4, 'mine\n');
    await writeToDisk(desk.path('a.ini'), FIVE.replace('two', 'zwei'));
    await eventually('the conflict', () => desk.review.reviews.items[0]?.conflict !== undefined);
    await assert.rejects(
      desk.review.proposed.accept(desk.review.reviews.items[0]?.id ?? ''),
      /has changed since the proposal was made/,
    );
    assert.equal(document.getText(), 'one\n2\nthree\nfour\nmine\nfive\n');
    await writeToDisk(desk.path('a.ini'), FIVE);
    await eventually('the end of the conflict', () => desk.review.reviews.items[0]?.conflict === undefined);
    await accept();
    assert.equal(await desk.text('a.ini'), 'one\n2\nthree\nfour\nmine\nfive\n');
  });

  it('changes of the user that fit no longer are taken out, and Undo brings them back', async () => {
    const [item] = await desk.propose([replace('a.ini', 'two', '2')]);
    const document = await desk.shown('a.ini');
    await desk.review.proposed.open(item?.id ?? '', { preserveFocus: false });
    await desk.type(document, 4, 'mine\n');
    await eventually('it to be saved', () => !document.isDirty);
    await writeToDisk(desk.path('a.ini'), FIVE.replace('five', 'fünf'));
    await becomes(document, 'one\n2\nthree\nfour\nfünf\n');
    await vscode.commands.executeCommand('undo');
    await becomes(document, 'one\n2\nthree\nfour\nmine\nfive\n');
  });

  detail('changes of the user that fit no longer can be copied when no tab has them', async () => {
    await desk.propose([replace('a.ini', 'two', '2')]);
    const document = await desk.shown('a.ini');
    await desk.type(document, 4, 'mine\n');
    await eventually('it to be saved', () => !document.isDirty);
    await vscode.window.tabGroups.close(desk.tabs);
    await vscode.env.clipboard.writeText('');
    await writeToDisk(desk.path('a.ini'), FIVE.replace('five', 'fünf'));
    await eventually('the text to be copied', async () => {
      await vscode.commands.executeCommand('notification.acceptPrimaryAction');
      return (await vscode.env.clipboard.readText()) === 'one\n2\nthree\nfour\nmine\nfive\n';
    });
  });

  detail('a verdict on what was on the list before the file changed does not count', async () => {
    const [item] = await desk.propose([replace('a.ini', 'two', '2')]);
    const document = await desk.shown('a.ini');
    await writeToDisk(desk.path('a.ini'), `${FIVE}six\n`);
    await becomes(document, `${FIVE.replace('two', '2')}six\n`);
    const { reviews } = desk.review;
    const [now] = reviews.items;
    assert.notEqual(now?.id, item?.id);
    await assert.rejects(reviews.decideItem(item?.id ?? '', 'accept'), /no longer what you saw/);
    await assert.rejects(reviews.decideAll('accept', [item?.id ?? '']), /no longer what you saw/);
    assert.equal(reviews.items.length, 1);
    await reviews.decideItem(now?.id ?? '', 'accept');
    await desk.told();
    assert.equal(await desk.text('a.ini'), `${FIVE.replace('two', '2')}six\n`);
  });

  it('a file that was deleted fails the call with the reason, or is created again', async () => {
    await desk.propose([replace('a.ini', 'two', '2')]);
    await desk.shown('a.ini');
    await rm(desk.path('a.ini'));
    await eventually('the conflict', () => desk.review.reviews.items[0]?.conflict !== undefined);
    await vscode.window.tabGroups.close(desk.tabs);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await desk.onCard('once');
    assert.match(await desk.told(), /"error":"[^"]*a\.ini/);
    await assert.rejects(desk.text('a.ini'));
    await desk.workspace.write({ 'a.ini': FIVE });
    await desk.propose([writeFile('a.ini', 'new\n')]);
    await desk.shown('a.ini');
    await rm(desk.path('a.ini'));
    await eventually('a new file', () => desk.review.reviews.items[0]?.isNew === true);
    await accept();
    assert.equal(await desk.text('a.ini'), 'new\n');
  });

  it('a file that was renamed is not written under its old name', async () => {
    await desk.propose([replace('a.ini', 'two', '2')]);
    await desk.shown('a.ini');
    await rename(desk.path('a.ini'), desk.path('b.ini'));
    await eventually('the conflict', () => desk.review.reviews.items[0]?.conflict !== undefined);
    await desk.review.proposed.reject(desk.review.reviews.items[0]?.id ?? '');
    await desk.told();
    assert.equal(await desk.text('b.ini'), FIVE);
    await assert.rejects(desk.text('a.ini'));
  });

  for (const [tool, proposal] of [
    ['replace', replace('a.ini', 'two', '2')],
    ['write_file', writeFile('a.ini', 'new\n')],
  ] as const) {
    const define = tool === 'replace' ? it : detail;
    define(`a file that VS Code renames is not written under its old name by ${tool}`, async () => {
      await desk.workspace.write({ 'c.ini': FIVE });
      await desk.propose([proposal, replace('c.ini', 'two', '2')]);
      await desk.shown('a.ini');
      const pattern = new vscode.RelativePattern(vscode.Uri.file(desk.workspace.path), 'a.ini');
      const watcher = vscode.workspace.createFileSystemWatcher(pattern);
      const gone = new Promise((resolve) => watcher.onDidDelete(resolve));
      const edit = new vscode.WorkspaceEdit();
      edit.renameFile(vscode.Uri.file(desk.path('a.ini')), vscode.Uri.file(desk.path('b.ini')));
      // It says no while it still takes in what the disk has, and then nothing was changed.
      await eventually('VS Code to take the edit', async () => vscode.workspace.applyEdit(edit));
      await gone;
      watcher.dispose();
      // What the file system told of the other one before has been looked at when this one was.
      await writeToDisk(desk.path('c.ini'), `six\n${FIVE}`);
      const other = desk.review.reviews.items[1]?.id;
      await eventually('the other proposal to be renewed', () => desk.review.reviews.items[1]?.id !== other);
      const [item, next] = desk.review.reviews.items;
      assert.equal(item?.isNew, false);
      assert.match(item.conflict ?? '', /a\.ini was renamed to .*b\.ini/);
      await assert.rejects(desk.review.proposed.accept(item.id), /renamed to .*b\.ini/);
      await desk.onCard('once');
      await desk.review.proposed.accept(next?.id ?? '');
      assert.match(await desk.told(), /"error":"[^"]*a\.ini/);
      assert.equal(await desk.text('b.ini'), FIVE);
      await assert.rejects(desk.text('a.ini'));
    });
  }

  it('a file that is closed and one that is saved stay what they are', async () => {
    const file = await opened('a.ini');
    await vscode.window.showTextDocument(file);
    await desk.propose([replace('a.ini', 'two', '2')]);
    await desk.shown('a.ini');
    await desk.type(file, 0, 'zero\n');
    await file.save();
    await eventually('the proposal for it', () => desk.review.reviews.items[0]?.added === 1 && !file.isDirty);
    await vscode.window.tabGroups.close(
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .filter(({ input }) => input instanceof vscode.TabInputText),
    );
    const document = await desk.shown('a.ini');
    await becomes(document, `zero\n${FIVE.replace('two', '2')}`);
    await accept();
    assert.equal(await desk.text('a.ini'), `zero\n${FIVE.replace('two', '2')}`);
  });

  it('a new file is compared with nothing, and is there after the yes', async () => {
    const [item] = await desk.propose([writeFile('deep/new.ini', 'new\n')]);
    assert.equal(item?.isNew, true);
    const document = await desk.shown('new.ini');
    const { before } = desk.review.proposed.sidesOf(item.id);
    assert.equal((await vscode.workspace.openTextDocument(before)).getText(), '');
    assert.equal(document.getText(), 'new\n');
    await accept();
    assert.equal(await desk.text('deep/new.ini'), 'new\n');
  });

  for (const [what, bytes, after] of [
    ['CRLF', Buffer.from('one\r\ntwo\r\n'), Buffer.from('one\r\n2\r\nmine\r\n')],
    ['a mixture of line ends', Buffer.from('one\r\nx\r\ntwo\ny\r\n'), undefined],
    ['UTF-16', encodeWithBom('one ä\ntwo\n', 'utf-16le'), encodeWithBom('one ä\n2\nmine\n', 'utf-16le')],
  ] as const) {
    const define = what === 'UTF-16' ? it : detail;
    define(`a file with ${what} keeps it`, async () => {
      await writeToDisk(desk.path('a.ini'), bytes);
      await desk.propose([replace('a.ini', 'two', '2')]);
      const document = await desk.shown('a.ini');
      if (after) await desk.type(document, document.lineCount - 1, 'mine\n');
      await eventually('the texts to be the same again', () => desk.review.reviews.items.length === 1);
      const told = await accept();
      assert.doesNotMatch(told, /"error"/);
      const written = await vscode.workspace.fs.readFile(vscode.Uri.file(desk.path('a.ini')));
      if (after) assert.deepEqual(Buffer.from(written), Buffer.from(after));
      else assert.match(Buffer.from(written).toString(), /^one\r\nx\r\n2\r?\ny\r\n$/);
    });
  }

  detail('another encoding of the user does not garble the proposal', async () => {
    const settings = vscode.workspace.getConfiguration('files');
    await settings.update('encoding', 'windows1252', vscode.ConfigurationTarget.Global);
    try {
      await desk.propose([writeFile('new.ini', 'ä 🙂\n')]);
      assert.equal((await desk.shown('new.ini')).getText(), 'ä 🙂\n');
      await accept();
      assert.equal(await desk.text('new.ini'), 'ä 🙂\n');
    } finally {
      await settings.update('encoding', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  detail('a file of another folder of the workspace is reviewed like any other', async () => {
    await desk.addRoot({ 'z.ini': FIVE });
    const [item] = await desk.propose([replace(desk.pathInOther('z.ini'), 'two', '2')]);
    assert.match(item?.label ?? '', /z\.ini$/);
    await desk.shown('z.ini');
    await desk.review.proposed.accept(item?.id ?? '');
    await desk.told();
    assert.equal(await readFile(desk.pathInOther('z.ini'), 'utf8'), FIVE.replace('two', '2'));
  });

  detail('a file that turns into something else fails the call with the reason', async () => {
    await vscode.workspace.getConfiguration('gantry').update('review.openDiff', 'onRequest', true);
    try {
      const [item] = await desk.propose([replace('a.ini', 'two', '2')]);
      assert.equal(desk.tabs.length, 0);
      await writeToDisk(desk.path('a.ini'), Buffer.alloc(4096));
      await desk.review.proposed.open(item?.id ?? '', { preserveFocus: false });
      assert.match(await desk.told(), /a\.ini is a binary file.*Nothing was written/);
    } finally {
      await vscode.workspace.getConfiguration('gantry').update('review.openDiff', undefined, true);
    }
  });

  it('a diff that VS Code does not open is reported, whatever the reason', async () => {
    const texts = new ProposalTexts('gantry-test-diffs');
    const edit = { path: desk.path('a.ini'), label: 'a.ini', before: FIVE, after: 'new\n' };
    const file = new ProposedFile('call', edit, texts.scheme);
    const told: unknown[] = [];
    const diffs = new ProposalDiffs({
      texts,
      log: testHost().log,
      waiting: () => [file],
      opensByItself: () => true,
      userIsInEditor: () => false,
      shown: () => Promise.reject(new Error('It is not shown')),
      notShown: async (which, error) => void told.push(which, error),
      compare: () => Promise.reject(new Error('No room for editors')),
    });
    texts.put(file.uri, edit.after);
    diffs.replace([]);
    await eventually('the reason', () => told.length > 0);
    await diffs.open(file, false);
    assert.deepEqual(
      told.map((each) => (each instanceof Error ? each.message : each)),
      [file, 'No room for editors', file, 'No room for editors'],
    );
    texts.dispose();
  });

  detail('a diff that cannot be shown fails the call with the reason', async () => {
    await desk.propose([replace('a.ini', 'two', '2')]);
    await desk.shown('a.ini');
    const [question] = desk.window.session.open?.edits.waiting ?? [];
    desk.window.session.open?.edits.fail(question?.requestId ?? '', 'The diff of a.ini could not be shown: too large.');
    assert.match(await desk.told(), /The diff of a\.ini could not be shown: too large\./);
    assert.equal(await desk.text('a.ini'), FIVE);
  });

  detail('everything can be taken down and set up again, fifty times', async () => {
    // A scheme that is still taken is refused by VS Code.
    for (let round = 0; round < 50; round++) desk.renewReview();
    await desk.propose([replace('a.ini', 'two', '2')]);
    await desk.shown('a.ini');
    assert.equal(desk.tabs.length, 1);
    await accept();
    assert.equal(await desk.text('a.ini'), FIVE.replace('two', '2'));
  });
});
