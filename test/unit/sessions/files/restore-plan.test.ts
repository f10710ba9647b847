import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  compare,
  type FileVersion,
  type PlannedRestore,
  planRewind,
  planUndo,
  type RestorableChange,
  type RestoreKind,
} from '../../../../extension/sessions/files/restore-plan.ts';

/** `file: before > after`, with `-` for no file and the id of a rewind at the end. */
function changesOf(...lines: string[]): RestorableChange[] {
  return lines.map((line) => {
    const [, path = '', before = '', after = '', rewindId] = /^(\S+): (\S+) > (\S+)(?: (\S+))?$/.exec(line) ?? [];
    return { path, before: versionOf(before), after: versionOf(after), ...(rewindId ? { rewindId } : { callId: 'c' }) };
  });
}

const versionOf = (text: string): FileVersion => (text === '-' ? null : text);

/** `file: expected > target`, with an exclamation mark if somebody else's edits would go. */
function textOf(plan: readonly PlannedRestore[]): string[] {
  return plan.map(
    ({ path, target, expected, holdsOthersEdits }) =>
      `${path}: ${expected ?? '-'} > ${target ?? '-'}${holdsOthersEdits ? ' !' : ''}`,
  );
}

describe('restore plan', () => {
  const rewinds: readonly [title: string, changes: string[], point: number, plan: string[]][] = [
    ['is empty without changes', [], 0, []],
    ['is empty at the end', ['a: 1 > 2'], 1, []],
    ['goes back over one change', ['a: 1 > 2'], 0, ['a: 2 > 1']],
    ['goes back over all changes of a file', ['a: 1 > 2', 'a: 2 > 3', 'a: 3 > 4'], 1, ['a: 4 > 2']],
    ['removes a file that was created', ['a: - > 1', 'a: 1 > 2'], 0, ['a: 2 > -']],
    ['brings back a file that was removed', ['a: 1 > -'], 0, ['a: - > 1']],
    ['leaves out what is as it was', ['a: 1 > 2', 'b: 1 > 2', 'a: 2 > 1'], 0, ['b: 2 > 1']],
    ['leaves out what did not change since', ['a: 1 > 2', 'b: 5 > 6'], 1, ['b: 6 > 5']],
    ['goes back over a rewind', ['a: 1 > 2', 'a: 2 > 3', 'a: 3 > 1 r', 'a: 1 > 4'], 1, ['a: 4 > 2']],
    ['goes forward again', ['a: 1 > 2', 'a: 2 > 3', 'a: 3 > 1 r'], 1, ['a: 1 > 2']],
    ['notices an edit in between', ['a: 1 > 2', 'a: 9 > 3'], 0, ['a: 3 > 1 !']],
    ['notices it through later changes', ['a: 1 > 2', 'a: 9 > 3', 'a: 3 > 4'], 0, ['a: 4 > 1 !']],
    ['keeps an edit from before the point', ['a: 1 > 2', 'a: 9 > 3', 'a: 3 > 4'], 1, ['a: 4 > 9']],
    ['takes an edit back to a known content for that', ['a: 1 > 2', 'a: 1 > 3'], 0, ['a: 3 > 1']],
    ['forgets an edit that is gone', ['a: 1 > 2', 'a: 9 > 1 r', 'a: 1 > 3'], 0, ['a: 3 > 1']],
    ['remembers an edit that came back', ['a: 1 > 2', 'a: 9 > 1 r', 'a: 1 > 9 r'], 0, ['a: 9 > 1 !']],
    ['goes back over a file removed by somebody and made anew', ['a: 1 > 2', 'a: - > 3'], 0, ['a: 3 > 1']],
    ['goes back over a write that failed', ['a: 1 > 2', 'a: 2 > 3', 'a: 3 > 2'], 0, ['a: 2 > 1']],
  ];
  for (const [title, changes, point, plan] of rewinds) {
    it(`of a rewind ${title}`, () => assert.deepEqual(textOf(planRewind(changesOf(...changes), point)), plan));
  }

  const undos: readonly [title: string, changes: string[], plan: string[]][] = [
    ['touches only its files', ['a: 1 > 2', 'b: 1 > 2', 'a: 2 > 1 r'], ['a: 1 > 2']],
    ['is empty for a rewind that changed nothing', ['a: 1 > 2', 'a: 2 > 1 other'], []],
    ['brings back what was overwritten', ['a: 1 > 2', 'a: 9 > 1 r'], ['a: 1 > 9']],
    ['goes back over later changes', ['a: 1 > 2', 'a: 2 > 1 r', 'a: 1 > 3'], ['a: 3 > 2']],
    ['notices a later edit', ['a: 1 > 2', 'a: 2 > 1 r', 'a: 9 > 3'], ['a: 3 > 2 !']],
    ['has nothing left to do the second time', ['a: 1 > 2', 'a: 2 > 1 r', 'a: 1 > 2 r'], []],
    ['goes on where it was left', ['a: 1 > 2', 'b: 1 > 2', 'a: 2 > 1 r', 'b: 2 > 1 r', 'a: 1 > 2 r'], ['b: 1 > 2']],
  ];
  for (const [title, changes, plan] of undos) {
    it(`of an undo ${title}`, () => assert.deepEqual(textOf(planUndo(changesOf(...changes), 'r')), plan));
  }

  const clean: PlannedRestore = { path: 'a', target: 'old', expected: 'new', holdsOthersEdits: false };
  const comparisons: readonly [
    title: string,
    plan: PlannedRestore,
    current: FileVersion,
    stored: boolean,
    RestoreKind,
  ][] = [
    ['as the session left it', clean, 'new', true, 'restore'],
    ['already as it was', clean, 'old', true, 'done'],
    ['already as it was, which is not stored', clean, 'old', false, 'done'],
    ['changed by somebody else', clean, 'edited', true, 'changed'],
    ['removed by somebody else', clean, null, true, 'changed'],
    ['as the session left it, built on an edit', { ...clean, holdsOthersEdits: true }, 'new', true, 'changed'],
    ['as the session left it, with nothing to put back', clean, 'new', false, 'lost'],
    ['changed, with nothing to put back', clean, 'edited', false, 'lost'],
    ['created by the session', { ...clean, target: null }, 'new', false, 'remove'],
    ['created by the session and edited', { ...clean, target: null }, 'edited', false, 'changed'],
    ['created by the session and already gone', { ...clean, target: null }, null, false, 'done'],
    ['removed by the session', { ...clean, expected: null }, null, true, 'restore'],
    ['removed by the session and made anew', { ...clean, expected: null }, 'edited', true, 'changed'],
  ];
  for (const [title, plan, current, stored, kind] of comparisons) {
    it(`takes a file ${title} for: ${kind}`, () => assert.equal(compare(plan, current, stored), kind));
  }
});
