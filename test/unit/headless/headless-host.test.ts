import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { createHeadlessHost, type HeadlessHostOptions } from '../../../extension/headless/headless-host.ts';
import { tempFolder } from '../../support/temp-folder.ts';

function host(options: Partial<HeadlessHostOptions> = {}) {
  const lines: string[] = [];
  const created = createHeadlessHost({
    assets: '/assets',
    workspace: '/w',
    trusted: false,
    model: undefined,
    maxTurns: undefined,
    environment: {},
    writeLog: (line) => lines.push(line),
    ...options,
  });
  return { ...created, lines };
}

describe('headless host', () => {
  it('has the workspace as its only folder, trusted only when told so', () => {
    assert.deepEqual(host().workspace.roots(), ['/w']);
    assert.equal(host().workspace.isTrusted(), false);
    assert.equal(host({ trusted: true }).workspace.isTrusted(), true);
  });

  it('takes settings from the flags', async () => {
    const plain = host().settings;
    const given = host({ model: 'gemini-x', maxTurns: 3 }).settings;
    assert.deepEqual(
      [plain.authMethod(), plain.modelName(), plain.baseUrl(), plain.limits().prompt.turns],
      ['auto', 'auto', '', -1],
    );
    assert.deepEqual([given.modelName(), given.limits().prompt.turns], ['gemini-x', 3]);
    assert.equal(await host().secrets.apiKey(), undefined);
  });

  it('takes aliases and overrides of models from the settings of Gemini CLI in the home folder, and of no other', async () => {
    const home = await tempFolder('home');
    const folder = await tempFolder('workspace');
    try {
      const aliases = { mine: { modelConfig: { model: 'gemini-x', generateContentConfig: { temperature: 0.1 } } } };
      const settings = (configs: object): string => `{ // mine\n "modelConfigs": ${JSON.stringify(configs)}, }`;
      for (const { path } of [home, folder]) await mkdir(join(path, '.gemini'));
      await writeFile(join(folder.path, '.gemini/settings.json'), settings({ aliases: { theirs: {} } }));
      const environment = { GEMINI_CLI_HOME: home.path };
      const configs = (): unknown => host({ workspace: folder.path, environment }).settings.modelConfigs?.();
      assert.equal(configs(), undefined);
      await writeFile(join(home.path, '.gemini/settings.json'), settings({ aliases }));
      assert.deepEqual(configs(), { aliases });
      await writeFile(join(home.path, '.gemini/settings.json'), '{');
      assert.equal(configs(), undefined);
    } finally {
      await home.dispose();
      await folder.dispose();
    }
  });

  it('logs only with GANTRY_LOG=debug', () => {
    const quiet = host();
    const loud = host({ environment: { GANTRY_LOG: 'debug' } });
    for (const { log } of [quiet, loud]) {
      log.debug('one');
      log.error('two', 'because');
    }
    assert.deepEqual(quiet.lines, []);
    assert.deepEqual(loud.lines, ['[debug] one', '[error] two\nbecause']);
  });
});
