import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type StatusFacts, spokenStatus, statusLook } from '../../../../extension/vscode/approvals/status-texts.ts';

describe('The status bar', () => {
  const READY: StatusFacts = {
    waiting: 0,
    inputs: 0,
    running: false,
    readOnly: false,
    mode: 'default',
    model: 'gemini-x',
  };
  const CASES: readonly [string, Partial<StatusFacts>, string, string | undefined][] = [
    ['ready', {}, 'comment-discussion Gantry: default · gemini-x', undefined],
    ['working', { running: true }, 'loading~spin Gantry: working · default · gemini-x', undefined],
    ['asking', { running: true, waiting: 2 }, 'bell-dot Gantry: needs you (2) · default · gemini-x', 'warning'],
    [
      'asked by a command',
      { running: true, inputs: 1 },
      'bell-dot Gantry: waiting for input · default · gemini-x',
      'warning',
    ],
    ['read-only', { readOnly: true }, 'lock Gantry: read-only · gemini-x', undefined],
    ['held elsewhere', { heldBy: 'a window' }, 'lock Gantry: read-only · default · gemini-x', undefined],
    ['yolo', { mode: 'yolo' }, 'warning Gantry: YOLO · gemini-x', 'error'],
    ['yolo at work', { mode: 'yolo', running: true }, 'loading~spin Gantry: working · YOLO · gemini-x', 'error'],
    ['yolo that asks', { mode: 'yolo', waiting: 1 }, 'bell-dot Gantry: needs you (1) · YOLO · gemini-x', 'error'],
  ];
  for (const [name, facts, expected, background] of CASES) {
    it(`shows when Gantry is ${name}`, () => {
      const look = statusLook({ ...READY, ...facts });
      assert.equal(`${look.icon} ${look.text}`, expected);
      assert.equal(look.background, background);
    });
  }

  it('says all of it to a screen reader', () => {
    assert.equal(
      spokenStatus({ ...READY, waiting: 1 }),
      'Gantry. An approval is pending. Approval mode default. Model gemini-x.',
    );
  });
});
