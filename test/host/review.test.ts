import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { together } from '../support/gemini/script.ts';
import { eventually } from '../support/poll.ts';
import { detail } from './detail.ts';
import { ReviewDesk, replace, writeFile } from './review-desk.ts';

const TEN = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n';
const DIGITS = TEN.replace('two', '2').replace('nine', '9');

describe('Reviewing a proposed edit', function () {
  // The first window to open a diff loads half of the workbench.
  this.timeout(60_000);
  let desk: ReviewDesk;

  beforeEach(async () => {
    desk = await ReviewDesk.create({ 'a.ini': TEN, 'b.ini': TEN, 'c.ini': TEN });
  });
  afterEach(() => desk.dispose());

  const lensesOf = async (document: vscode.TextDocument): Promise<string[]> => {
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
    );
    return lenses.map(({ range, command }) => `${range.start.line} ${command?.title}`);
  };

  it('shows the file and the proposal side by side, in its language, and writes nothing', async () => {
    const [item] = await desk.propose([writeFile('a.ini', DIGITS)]);
    assert.deepEqual(
      [item?.label, item?.style, item?.isNew, item?.added, item?.removed],
      ['a.ini', 'proposed', false, 2, 2],
    );
    const document = await desk.shown('a.ini');
    assert.equal(document.languageId, 'ini');
    assert.equal(document.getText(), DIGITS);
    await eventually('the card to know of its diff', () => desk.review.reviews.items[0]?.isOpen);
    const asking = desk.window.session.entries.find((entry) => entry.kind === 'tool');
    assert.equal(desk.review.reviews.items[0]?.requestId, asking?.approval?.requestId);
    const { original } = (desk.tab('a.ini') ?? assert.fail()).input as vscode.TabInputTextDiff;
    assert.equal(original.toString(), vscode.Uri.file(desk.path('a.ini')).toString());
    assert.equal(await desk.text('a.ini'), TEN);
    assert.deepEqual(await lensesOf(document), [
      '0 Accept',
      '0 Reject',
      '1 Accept Hunk',
      '1 Reject Hunk',
      '8 Accept Hunk',
      '8 Reject Hunk',
    ]);
  });

  it('writes what the user made of it, and tells the model what differs', async () => {
    const [item] = await desk.propose([writeFile('a.ini', DIGITS)]);
    const document = await desk.shown('a.ini');
    await desk.type(document, 0, 'zero\n');
    await eventually('it to be saved, so that closing asks nothing', () => !document.isDirty);
    await desk.review.proposed.accept(item?.id ?? '');
    const told = await desk.told();
    assert.equal(await desk.text('a.ini'), `zero\n${DIGITS}`);
    assert.match(told, /The user changed your edit before accepting it/);
    assert.match(told, /\+zero/);
    assert.doesNotMatch(told, /\+2/);
    assert.equal(desk.tabs.length, 0);
  });

  detail('writes what the user made of it also when they say yes on the card', async () => {
    await desk.propose([writeFile('a.ini', DIGITS)]);
    await desk.type(await desk.shown('a.ini'), 0, 'zero\n');
    await desk.onCard('once');
    assert.match(await desk.told(), /The user changed your edit/);
    assert.equal(await desk.text('a.ini'), `zero\n${DIGITS}`);
    await eventually('the diff to close', () => desk.tabs.length === 0);
  });

  it('keeps some places and takes others back', async () => {
    await desk.propose([writeFile('a.ini', DIGITS)]);
    const document = await desk.shown('a.ini');
    const { reviews } = desk.review;
    await eventually('the diff to settle', async () => {
      await reviews.decideHunk(document.uri, 1, 'reject');
      return document.getText() === TEN.replace('nine', '9');
    });
    assert.deepEqual(await lensesOf(document), ['0 Accept', '0 Reject', '8 Accept Hunk', '8 Reject Hunk']);
    await eventually('the answer', async () => {
      await reviews.decideHunk(document.uri, 8, 'accept');
      return reviews.items.length === 0;
    });
    assert.match(await desk.told(), /-2\\n\+two/);
    assert.equal(await desk.text('a.ini'), TEN.replace('nine', '9'));
  });

  it('is rejected when no place is kept, and a place that was taken back can be had again', async () => {
    const [item] = await desk.propose([writeFile('a.ini', DIGITS)]);
    const document = await desk.shown('a.ini');
    const { proposed } = desk.review;
    await proposed.open(item?.id ?? '', { preserveFocus: false });
    const [first] = proposed.hunksOf(document);
    assert.ok(first);
    await proposed.rejectHunk(document, first);
    assert.equal(proposed.hunksOf(document).length, 1);
    await vscode.commands.executeCommand('undo');
    assert.equal(proposed.hunksOf(document).length, 2);
    for (let left = 2; left > 0; left--) {
      const [hunk] = proposed.hunksOf(document);
      assert.ok(hunk);
      await proposed.rejectHunk(document, hunk);
    }
    assert.match(await desk.told(), /The user refused this call/);
    assert.equal(await desk.text('a.ini'), TEN);
  });

  it('closes without a question when it is answered right after the user typed', async () => {
    const [item] = await desk.propose([writeFile('a.ini', DIGITS)]);
    const document = await desk.shown('a.ini');
    await desk.type(document, 0, 'zero\n');
    await desk.review.proposed.reject(item?.id ?? '');
    await eventually('the diff to close', () => desk.tabs.length === 0);
    assert.equal(document.isDirty, false);
  });

  it('stays in the list when its tab is closed, and can be opened again', async () => {
    const [item] = await desk.propose([writeFile('a.ini', DIGITS)]);
    const document = await desk.shown('a.ini');
    await desk.type(document, 0, 'zero\n');
    await eventually('it to be saved', () => !document.isDirty);
    const told: unknown[] = [];
    const listening = desk.review.reviews.onDidChange(() => told.push(desk.review.reviews.items[0]?.isOpen));
    await vscode.window.tabGroups.close(desk.tabs);
    assert.deepEqual(
      desk.review.reviews.items.map(({ id, added }) => [id, added]),
      [[item?.id, 3]],
    );
    await eventually('the card to know that its diff is closed', () => told.at(-1) === false);
    listening.dispose();
    await desk.review.reviews.choose();
    assert.equal((await desk.shown('a.ini')).getText(), `zero\n${DIGITS}`);
    await desk.review.proposed.reject(item?.id ?? '');
    assert.match(await desk.told(), /The user refused this call/);
  });

  it('shows one diff at a time, and the next when that one is answered', async () => {
    await desk.propose([writeFile('a.ini', DIGITS), writeFile('b.ini', DIGITS), writeFile('c.ini', DIGITS)]);
    const first = await desk.shown('a.ini');
    assert.equal(desk.tabs.length, 1);
    assert.ok((await lensesOf(first)).includes('0 Accept All'));
    const [a, b, c] = desk.review.reviews.items;
    await desk.review.proposed.accept(a?.id ?? '');
    await desk.shown('b.ini');
    await desk.review.proposed.reject(b?.id ?? '');
    await desk.shown('c.ini');
    await eventually('one diff', () => desk.tabs.length === 1);
    await desk.review.proposed.accept(c?.id ?? '');
    await desk.told();
    assert.deepEqual(
      [await desk.text('a.ini'), await desk.text('b.ini'), await desk.text('c.ini')],
      [DIGITS, TEN, DIGITS],
    );
  });

  /** What has just come is left out. */
  const decideAll = (verdict: 'accept' | 'reject'): Promise<boolean> =>
    eventually('everything to be decided', async () => {
      await desk.review.reviews.decideAll(verdict);
      return desk.review.reviews.items.length === 0;
    });

  it('is answered with the others by Accept All and Reject All', async () => {
    await desk.propose([writeFile('a.ini', DIGITS), writeFile('b.ini', DIGITS)]);
    await decideAll('accept');
    await desk.told();
    assert.deepEqual([await desk.text('a.ini'), await desk.text('b.ini')], [DIGITS, DIGITS]);
    await desk.propose([writeFile('a.ini', TEN), writeFile('b.ini', TEN)]);
    await decideAll('reject');
    await eventually('the end', () => desk.window.end.state?.running === false);
    assert.deepEqual([await desk.text('a.ini'), await desk.text('b.ini')], [DIGITS, DIGITS]);
  });

  detail('is not accepted by the second click of two on Accept All, which was meant for the ones before', async () => {
    const { reviews } = desk.review;
    desk.gemini.reply(together(writeFile('a.ini', DIGITS), writeFile('b.ini', DIGITS)));
    await desk.propose([writeFile('a.ini', 'unseen\n'), writeFile('b.ini', 'unseen\n')]);
    await decideAll('accept');
    const clicks = reviews.onDidChange(() => void reviews.decideAll('accept'));
    await desk.waiting(2);
    await reviews.decideAll('accept');
    clicks.dispose();
    assert.equal(reviews.items.length, 2);
    assert.deepEqual([await desk.text('a.ini'), await desk.text('b.ini')], [DIGITS, DIGITS]);
    await decideAll('accept');
    await desk.told();
    assert.equal(await desk.text('b.ini'), 'unseen\n');
  });

  function comment(document: vscode.TextDocument, start: number, end: number, text: string): void {
    const controller = vscode.comments.createCommentController('test', 'Test');
    const range = new vscode.Range(start, 0, end, 0);
    desk.review.comments.add({ thread: controller.createCommentThread(document.uri, range, []), text });
  }

  it('takes comments on lines along with the answer, whatever it is', async () => {
    const [item] = await desk.propose([writeFile('a.ini', DIGITS)]);
    comment(await desk.shown('a.ini'), 1, 2, 'Why not 2.0?');
    await desk.review.proposed.accept(item?.id ?? '');
    assert.match(
      await desk.told(),
      /The user allowed this and said:\\na\.ini, lines 2–3:\\n> 2\\n> three\\nWhy not 2\.0\?/,
    );
    const [next] = await desk.propose([writeFile('b.ini', DIGITS)]);
    comment(await desk.shown('b.ini'), 8, 8, 'Wrong');
    await desk.review.proposed.reject(next?.id ?? '');
    await eventually('the end', () => desk.window.end.state?.running === false);
    assert.match(await desk.told(), /They said: b\.ini, line 9:\\n> 9\\nWrong/);
  });

  it('comes back after the window was reloaded', async () => {
    await desk.propose([writeFile('a.ini', DIGITS)]);
    await desk.shown('a.ini');
    await desk.reload();
    const [item] = await desk.waiting(1);
    await desk.shown('a.ini');
    await desk.review.proposed.accept(item?.id ?? '');
    await eventually('the file to be written', async () => (await desk.text('a.ini')) === DIGITS);
  });

  for (const reviewGoes of ['first', 'last'] as const) {
    const define = reviewGoes === 'last' ? it : detail;
    define(
      `comes back with what the user typed into it and said about it, the review closing ${reviewGoes}`,
      async () => {
        await desk.propose([writeFile('a.ini', DIGITS)]);
        const document = await desk.shown('a.ini');
        await desk.type(document, 0, 'mine\n');
        await eventually('the proposal to be saved', () => !document.isDirty);
        comment(document, 2, 2, 'Why not 2.0?');
        await desk.reload(reviewGoes);
        const [item] = await desk.waiting(1);
        assert.equal((await desk.shown('a.ini')).getText(), `mine\n${DIGITS}`);
        await desk.review.proposed.accept(item?.id ?? '');
        await eventually('the file to be written', async () => (await desk.text('a.ini')) === `mine\n${DIGITS}`);
        assert.match(await desk.told(), /a\.ini, line 3:\\n> 2\\nWhy not 2\.0\?/);
      },
    );
  }

  detail('comes back with the places that were accepted, and is forgotten with an answer on its card', async () => {
    await desk.propose([writeFile('a.ini', DIGITS)]);
    const document = await desk.shown('a.ini');
    const [first] = desk.review.proposed.hunksOf(document);
    assert.ok(first);
    await desk.review.proposed.acceptHunk(document, first);
    await desk.reload();
    await desk.waiting(1);
    const left = desk.review.proposed.hunksOf(await desk.shown('a.ini'));
    assert.deepEqual(
      left.map(({ before }) => before),
      ['nine\n'],
    );
    assert.ok(desk.keptDrafts);
    await desk.onCard('once');
    await eventually('the file to be written', async () => (await desk.text('a.ini')) === DIGITS);
    await eventually('nothing to be kept', () => desk.keptDrafts === undefined);
  });

  detail('tells what a formatter made of it apart from the edit', async () => {
    const formatter = vscode.languages.registerDocumentFormattingEditProvider(
      { pattern: desk.path('a.ini') },
      { provideDocumentFormattingEdits: () => [vscode.TextEdit.insert(new vscode.Position(0, 0), '; formatted\n')] },
    );
    const settings = vscode.workspace.getConfiguration('editor', { languageId: 'ini' });
    await settings.update('formatOnSave', true, vscode.ConfigurationTarget.Global);
    try {
      const [item] = await desk.propose([replace('a.ini', 'two', '2')]);
      await desk.shown('a.ini');
      await desk.review.proposed.accept(item?.id ?? '');
      const told = await desk.told();
      assert.match(told, /The editor changed the file further when it saved it.*\+; formatted/);
      assert.doesNotMatch(told, /The user changed your edit/);
      assert.equal(await desk.text('a.ini'), `; formatted\n${TEN.replace('two', '2')}`);
    } finally {
      await settings.update('formatOnSave', undefined, vscode.ConfigurationTarget.Global);
      formatter.dispose();
    }
  });
});
