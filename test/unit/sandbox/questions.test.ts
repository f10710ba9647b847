import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { NO_SANDBOX } from '../../../extension/sandbox/sandbox.ts';
import { findSandbox } from '../../../extension/sandbox/sandbox-support.ts';
import { type Fate, type ObedientOptions, useObedientModel } from '../../support/obedient-model.ts';
import { SMALL_PROJECT, SMALL_TASK } from '../../support/small-task.ts';

describe('The same work with and without a sandbox', () => {
  const suite = useObedientModel();
  const files = SMALL_PROJECT;

  /** All of them, and one that needs the network. */
  async function work(options: ObedientOptions): Promise<{ readonly fates: readonly Fate[]; readonly root: string }> {
    const { tries, session, root } = await suite.obedient({ files, ...options });
    for (const args of [
      ['init', '-q'],
      ['config', 'user.name', 'a'],
      ['config', 'user.email', 'a@b.example'],
    ]) {
      execFileSync('git', args, { cwd: root });
    }
    const attempts = SMALL_TASK.map((command) => ({ name: 'run_shell_command', args: { command } }));
    const out = { ...(options.sandbox && { outside_sandbox: true }) };
    const fates = await tries(...attempts, { name: 'run_shell_command', args: { command: 'git push', ...out } });
    await session.abort();
    return { fates, root };
  }

  it('asks at most a fifth as often', async function () {
    if (!('tool' in (await findSandbox()))) this.skip();
    const asked = ({ fates }: { readonly fates: readonly Fate[] }): readonly unknown[] =>
      fates.filter(({ end }) => end === 'asked').map(({ args }) => args['command']);
    assert.ok(asked(await work({})).length >= 15);
    const confined = await work({ sandbox: { ...NO_SANDBOX, mode: 'auto', autoAllow: true } });
    assert.deepEqual(asked(confined), ['git push']);
    assert.match(await readFile(join(confined.root, '.git/logs/HEAD'), 'utf8'), /Add a sum/, 'all of it worked');
  });
});
