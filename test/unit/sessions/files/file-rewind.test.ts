import assert from 'node:assert/strict';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { hashOf } from '../../../../extension/sessions/files/blob-store.ts';
import { applyRestore, previewRestore, type RestoreStep } from '../../../../extension/sessions/files/file-rewind.ts';
import { planRewind, planUndo } from '../../../../extension/sessions/files/restore-plan.ts';
import { createSessionFiles, type SessionFiles } from '../../../support/session-files.ts';

describe('file rewind', () => {
  let session: SessionFiles;

  beforeEach(async () => {
    session = await createSessionFiles({ 'edited.txt': 'one\ntwo\n', 'removed.txt': 'removed\n' });
    await session.agent('edited.txt', 'one\n2\n3\n');
    await session.agent('created.txt', 'created\n');
    await session.agent('removed.txt', undefined);
  });
  afterEach(() => session.dispose());

  const preview = (): Promise<RestoreStep[]> =>
    previewRestore(planRewind(session.log, 0), session.blobs, session.files);

  const apply = async (steps: readonly RestoreStep[], overwrite: readonly string[] = []): Promise<string[]> => {
    const choices = { overwrite: new Set(overwrite.map(session.pathOf)) };
    const outcomes = await applyRestore(steps, choices, session.changes, session.blobs, 'r');
    return outcomes.map(
      (outcome) =>
        `${basename(outcome.path)}: ${outcome.kind}${outcome.kind === 'failed' ? `. ${outcome.reason}` : ''}`,
    );
  };

  const undo = async (): Promise<string[]> =>
    apply(await previewRestore(planUndo(session.log, 'r'), session.blobs, session.files));

  const contents = async (): Promise<Record<string, string | undefined>> => ({
    edited: await session.contentOf('edited.txt'),
    created: await session.contentOf('created.txt'),
    removed: await session.contentOf('removed.txt'),
  });

  const BEFORE = { edited: 'one\ntwo\n', created: undefined, removed: 'removed\n' };
  const AFTER = { edited: 'one\n2\n3\n', created: 'created\n', removed: undefined };

  function shown(steps: readonly RestoreStep[]): string[] {
    return steps.map((step) => {
      if (step.kind === 'blocked') return `${basename(step.path)}: blocked. ${step.reason}`;
      const lines = step.lines ? ` +${step.lines.added} −${step.lines.removed}` : '';
      return `${basename(step.path)}: ${step.kind}${lines}`;
    });
  }

  it('shows what it would do, and does nothing yet', async () => {
    assert.deepEqual(shown(await preview()), [
      'edited.txt: restore +1 −2',
      'created.txt: remove +0 −1',
      'removed.txt: restore +1 −0',
    ]);
    assert.deepEqual(await contents(), AFTER);
    assert.equal(session.log.length, 3);
  });

  it('puts the files back, and can itself be undone', async () => {
    assert.deepEqual(await apply(await preview()), [
      'edited.txt: restored',
      'created.txt: removed',
      'removed.txt: restored',
    ]);
    assert.deepEqual(await contents(), BEFORE);
    assert.deepEqual(await undo(), ['edited.txt: restored', 'created.txt: restored', 'removed.txt: removed']);
    assert.deepEqual(await contents(), AFTER);
    assert.deepEqual(await undo(), []);
  });

  it('asks about files that somebody else changed, and keeps them', async () => {
    await session.other('edited.txt', 'by the user\n');
    await session.other('created.txt', undefined);
    await session.other('removed.txt', 'new by the user\n');
    const steps = await preview();
    assert.deepEqual(shown(steps), ['edited.txt: changed +2 −1', 'created.txt: done', 'removed.txt: changed +1 −1']);
    assert.deepEqual(await apply(steps), ['edited.txt: kept', 'created.txt: unchanged', 'removed.txt: kept']);
    assert.deepEqual(await contents(), {
      edited: 'by the user\n',
      created: undefined,
      removed: 'new by the user\n',
    });
  });

  it('asks about a file that the agent changed after somebody else did', async () => {
    await session.other('created.txt', 'created\nby the user\n');
    await session.agent('created.txt', 'Created\nby the user\n');
    const steps = await preview();
    assert.equal(shown(steps)[1], 'created.txt: changed +0 −2');
    assert.equal((await apply(steps))[1], 'created.txt: kept');
    assert.equal(await session.contentOf('created.txt'), 'Created\nby the user\n');
  });

  it('overwrites what it is told to, and an undo brings that back', async () => {
    await session.other('edited.txt', 'by the user\n');
    await session.other('created.txt', 'by the user\n');
    assert.deepEqual(await apply(await preview(), ['edited.txt', 'created.txt']), [
      'edited.txt: restored',
      'created.txt: removed',
      'removed.txt: restored',
    ]);
    assert.deepEqual(await contents(), BEFORE);
    await undo();
    assert.deepEqual(await contents(), { edited: 'by the user\n', created: 'by the user\n', removed: undefined });
  });

  it('looks again: what changed since the preview is kept', async () => {
    const steps = await preview();
    await session.other('edited.txt', 'by the user\n');
    await session.other('created.txt', 'by the user\n');
    await session.other('removed.txt', 'removed\n');
    assert.deepEqual(await apply(steps, ['created.txt']), [
      'edited.txt: kept',
      'created.txt: removed',
      'removed.txt: unchanged',
    ]);
    assert.equal(await session.contentOf('edited.txt'), 'by the user\n');
  });

  it('keeps a file that was as it should be in the preview and is not any more', async () => {
    await session.other('edited.txt', 'one\ntwo\n');
    const steps = await preview();
    assert.equal(shown(steps)[0], 'edited.txt: done');
    await session.other('edited.txt', 'by the user\n');
    assert.equal((await apply(steps))[0], 'edited.txt: kept');
  });

  it('continues after a file it cannot put back', async () => {
    const steps = await preview();
    await rm(session.pathOf('edited.txt'));
    await mkdir(session.pathOf('edited.txt'));
    await rm(session.pathOf('created.txt'));
    await symlink(join(session.blobFolder, hashOf(Buffer.from('created\n'))), session.pathOf('created.txt'));
    const expected = [
      'edited.txt: failed. There is a folder in its place.',
      'created.txt: failed. It leads outside the open folders.',
      'removed.txt: restored',
    ];
    assert.deepEqual(await apply(steps, ['edited.txt', 'created.txt']), expected);
    assert.deepEqual(shown(await preview()), [
      'edited.txt: blocked. There is a folder in its place.',
      'created.txt: blocked. It leads outside the open folders.',
    ]);
    assert.deepEqual(await apply(await preview()), expected.slice(0, 2));
  });

  it('says so when a file is in the place of a folder', async () => {
    await session.agent('folder/a.txt', 'first\n');
    await session.agent('folder/a.txt', undefined);
    await rm(session.pathOf('folder'), { recursive: true });
    await session.other('folder', 'a file now');
    const steps = await previewRestore(planRewind(session.log, 4), session.blobs, session.files);
    assert.deepEqual(await apply(steps), ['a.txt: failed. A file is in the place of its folder.']);
    assert.equal(await session.contentOf('folder'), 'a file now');
    assert.deepEqual(planUndo(session.log, 'r'), [], 'nothing happened, so there is nothing to undo');
  });

  it('says so when the earlier content is lost, and leaves the file', async () => {
    await writeFile(join(session.blobFolder, hashOf(Buffer.from('one\ntwo\n'))), 'damaged');
    const steps = await preview();
    assert.equal(shown(steps)[0], 'edited.txt: lost');
    assert.deepEqual(await apply(steps, ['edited.txt']), [
      'edited.txt: failed. Its earlier content is no longer stored.',
      'created.txt: removed',
      'removed.txt: restored',
    ]);
    assert.equal(await session.contentOf('edited.txt'), AFTER.edited);
  });

  it('shows no numbers for binary files', async () => {
    const path = session.pathOf('created.txt');
    await session.changes.write(path, Buffer.from([0, 1, 2]), { callId: 'call' });
    assert.equal(shown(await preview())[1], 'created.txt: remove');
  });

  it('leaves the folder of a file it removed', async () => {
    await session.agent('folder/a.txt', 'a');
    await apply(await preview());
    assert.equal(await session.contentOf('folder/a.txt'), undefined);
    await writeFile(session.pathOf('folder/b.txt'), 'the folder is there');
  });
});
