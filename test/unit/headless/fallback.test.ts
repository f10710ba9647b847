import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { quotaExceeded } from '../../support/gemini/faults.ts';
import { useGemini } from '../../support/gemini/suite.ts';
import type { HeadlessResult } from '../../support/headless.ts';
import { commandInProcess } from '../../support/in-process.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';

const FLASH = 'gemini-3.8-flash';
const USED_UP = quotaExceeded({ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' });

describe('The command line with a model that is over its limit', () => {
  const gemini = useGemini();
  let folder: TempWorkspace;

  beforeEach(async () => {
    folder = await createTempWorkspace();
    gemini().reply(USED_UP);
  });
  afterEach(() => folder.dispose());

  const run = (args: readonly string[], environment = {}): Promise<HeadlessResult> =>
    commandInProcess(['-p', 'Hi', '--workspace', folder.path, ...args], {
      environment: {
        GANTRY_HOME: folder.path,
        GEMINI_API_KEY: 'key',
        GOOGLE_GEMINI_BASE_URL: gemini().url,
        ...environment,
      },
    });

  it('asks no other in place of one that was named, and says what to do', async () => {
    const { code, stdout, stderr } = await run(['--model', FLASH]);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /To upgrade, open https:\/\/ai\.google\.dev\/gemini-api\/docs\/rate-limits\n/);
    assert.match(stderr, /over its limit for today[\s\S]*Allow another with --fallback, or name another\./);
    assert.deepEqual(
      gemini().requests.map(({ model }) => model),
      [FLASH],
    );
  });

  const allowed: readonly (readonly [how: string, args: readonly string[], environment?: object])[] = [
    ['--fallback allows it', ['--model', FLASH, '--fallback']],
    ['the environment allows it', ['--model', FLASH], { GANTRY_FALLBACK: '1' }],
    ['none was named', []],
    ['the choice was left open', ['--model', 'auto']],
  ];
  for (const [how, args, environment] of allowed) {
    it(`asks another where ${how}`, async () => {
      gemini().reply('Hello');
      const { code, stdout, stderr } = await run(args, environment);
      assert.deepEqual([code, stdout], [0, 'Hello\n'], stderr);
      assert.match(stderr, /^Switched from gemini-3\.8-flash to gemini-3\.1-pro-preview/);
    });
  }
});
