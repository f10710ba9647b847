import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { exitCodeOfRun } from '../../../extension/headless/exit-code.ts';
import type { AgentEndReason } from '../../../extension/protocol/agent/agent-event.ts';
import type { ProblemKind } from '../../../extension/protocol/agent/problem.ts';

describe('headless exit code', () => {
  const cases: readonly (readonly [AgentEndReason, ProblemKind | undefined, number])[] = [
    ['completed', undefined, 0],
    ['aborted', undefined, 130],
    ['aborted', 'unreachable', 130],
    ['max_turns', undefined, 53],
    ['failed', undefined, 1],
    ['failed', 'unreachable', 1],
    ['failed', 'quota', 1],
    ['failed', 'internal', 1],
    ['failed', 'no-credential', 41],
    ['failed', 'bad-credential', 41],
    ['failed', 'forbidden', 41],
    ['failed', 'bad-input', 42],
    ['failed', 'message-too-large', 42],
    ['failed', 'not-found', 42],
    ['failed', 'session-locked', 42],
    ['failed', 'bad-configuration', 52],
    ['refusal', undefined, 1],
    ['max_budget', undefined, 1],
  ];
  for (const [reason, problem, code] of cases) {
    it(`is ${code} after ${reason}${problem ? ` with ${problem}` : ''}`, () => {
      assert.equal(exitCodeOfRun(reason, problem), code);
    });
  }
});
