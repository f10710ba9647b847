import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { killGroup } from '../../../extension/processes/kill-group.ts';

describe('Ending a process group', () => {
  for (const pid of [0, 1, -1, 1.5, Number.NaN]) {
    it(`sends nothing to ${pid}`, async () => {
      const sent: unknown[] = [];
      const { kill } = process;
      process.kill = (...args: unknown[]) => {
        sent.push(args);
        return true;
      };
      try {
        await killGroup(pid);
      } finally {
        process.kill = kill;
      }
      assert.deepEqual(sent, []);
    });
  }
});
