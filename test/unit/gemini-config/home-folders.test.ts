import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { homeProblem } from '../../../extension/gemini-config/home-folders.ts';
import { ProblemError } from '../../../extension/protocol/agent/problem.ts';
import { AgentService } from '../../../extension/runtime/agent-service.ts';
import { testHost } from '../../support/test-host.ts';

describe('A home folder', () => {
  for (const [home, environment, title] of [
    ['/home/ada', {}, undefined],
    ['/home/ada', { GEMINI_CLI_HOME: '/elsewhere', GEMINI_CLI_SYSTEM_SETTINGS_PATH: '/etc/s.json' }, undefined],
    ['/home/ada', { GEMINI_CLI_HOME: '' }, undefined],
    ['', {}, 'HOME is empty'],
    ['', { GEMINI_CLI_HOME: '/elsewhere' }, 'HOME is empty'],
    ['.', {}, 'HOME is ".", which is not an absolute path'],
    ['home/ada', {}, 'HOME is "home/ada", which is not an absolute path'],
    ['/home/ada', { GEMINI_CLI_HOME: '.' }, 'GEMINI_CLI_HOME is ".", which is not an absolute path'],
    [
      '/home/ada',
      { GEMINI_CLI_SYSTEM_SETTINGS_PATH: 's.json' },
      'GEMINI_CLI_SYSTEM_SETTINGS_PATH is "s.json", which is not an absolute path',
    ],
  ] as const) {
    it(`${JSON.stringify(home)} with ${JSON.stringify(environment)}: ${title ?? 'is fine'}`, () => {
      const problem = homeProblem(environment, home, 'linux');
      assert.equal(problem?.title, title);
      assert.equal(problem?.kind, title === undefined ? undefined : 'bad-configuration');
    });
  }

  it('that is none keeps everything from starting, and says what to set', () => {
    const before = process.env['HOME'];
    try {
      process.env['HOME'] = '';
      assert.throws(
        () => new AgentService(testHost()),
        (error) =>
          ProblemError.is(error, 'bad-configuration') &&
          /Nothing was started\. Set HOME to an absolute path/.test(error.message),
      );
    } finally {
      process.env['HOME'] = before;
    }
  });
});
