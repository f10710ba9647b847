import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { killGroup } from '../../../extension/processes/kill-group.ts';
import { bareEnvironment } from '../../../extension/processes/program-environment.ts';

describe('A bare environment', () => {
  it('has the language, what Windows needs, and nothing that is a setting', () => {
    const bare = bareEnvironment({
      LANG: 'de_DE.UTF-8',
      LC_ALL: 'C',
      SystemRoot: 'C:\\Windows',
      LC_CTYPE: undefined,
      RIPGREP_CONFIG_PATH: '/evil',
      PATH: '/evil',
      HOME: '/evil',
      LD_PRELOAD: '/evil',
      NODE_OPTIONS: '--require /evil',
      GEMINI_API_KEY: 'secret',
    });
    assert.deepEqual(bare, { LANG: 'de_DE.UTF-8', LC_ALL: 'C', SystemRoot: 'C:\\Windows' });
  });
});

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
