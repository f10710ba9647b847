import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { hashOf } from '../../../../extension/sessions/files/blob-store.ts';
import { applyRestore, previewRestore } from '../../../../extension/sessions/files/file-rewind.ts';
import { type PlannedRestore, planRewind, planUndo } from '../../../../extension/sessions/files/restore-plan.ts';
import { bytesOf, createSessionFiles, type SessionFiles } from '../../../support/session-files.ts';

describe('A file change whose process was killed before it was made', () => {
  let session: SessionFiles;
  beforeEach(async () => {
    session = await createSessionFiles({ 'a.txt': 'one' });
    await session.agent('a.txt', 'two');
  });
  afterEach(() => session.dispose());

  /** Written down, and then the process was gone. */
  async function cutOff(content: string | undefined, cause: { callId: string } | { rewindId: string }): Promise<void> {
    const [before, after] = [hashOf(bytesOf(await session.contentOf('a.txt'))), hashOf(bytesOf(content))];
    if (content !== undefined) await session.blobs.put(bytesOf(content));
    session.log.push({ type: 'file_change', path: session.pathOf('a.txt'), before, after, ...cause });
  }

  async function restore(plan: readonly PlannedRestore[], rewindId: string): Promise<string[]> {
    const steps = await previewRestore(plan, session.blobs, session.files);
    const outcomes = await applyRestore(steps, { overwrite: new Set() }, session.changes, session.blobs, rewindId);
    return outcomes.map(({ kind }) => kind);
  }

  async function settle(): Promise<void> {
    const last = session.log.at(-1);
    if (last) await session.changes.settle(last);
  }

  it('does not pass for an edit of somebody else when the session goes back', async () => {
    await cutOff('three', { callId: 'c' });
    await settle();
    assert.deepEqual(await restore(planRewind(session.log, 0), 'r'), ['restored']);
    assert.equal(await session.contentOf('a.txt'), 'one');
  });

  it('is made by the undo that is tried again', async () => {
    await restore(planRewind(session.log, 0), 'r');
    await cutOff('two', { rewindId: 'r' });
    await settle();
    assert.deepEqual(await restore(planUndo(session.log, 'r'), 'r'), ['restored']);
    assert.equal(await session.contentOf('a.txt'), 'two');
  });

  it('is made by the rewind that is tried again', async () => {
    await cutOff('one', { rewindId: 'r' });
    await settle();
    assert.deepEqual(await restore(planUndo(session.log, 'r'), 'r'), []);
    assert.deepEqual(await restore(planRewind(session.log, 0), 'again'), ['restored']);
    assert.equal(await session.contentOf('a.txt'), 'one');
  });

  it('stays as it is when it was made after all, or when somebody else wrote the file since', async () => {
    await session.agent('a.txt', 'three');
    await settle();
    await session.other('a.txt', 'edited');
    await settle();
    assert.equal(session.log.length, 2);
  });

  it('leaves no draft beside the file', async () => {
    const name = createHash('sha256').update(session.pathOf('a.txt')).digest('hex').slice(0, 16);
    await writeFile(session.pathOf(`.gantry-${name}-1.tmp`), 'half');
    await writeFile(session.pathOf('.gantry-of-another.tmp'), 'not ours');
    await settle();
    assert.deepEqual((await readdir(session.workspace.path)).sort(), ['.gantry-of-another.tmp', 'a.txt']);
  });
});
