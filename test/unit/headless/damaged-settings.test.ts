import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { useGemini } from '../../support/gemini/suite.ts';
import { commandInProcess } from '../../support/in-process.ts';
import { createTempWorkspace } from '../../support/temp-workspace.ts';

describe('The command line, with a settings file that is not JSON', () => {
  const gemini = useGemini();

  it('says so in one line with the place, although several parts read it', async () => {
    const home = await createTempWorkspace({ '.gemini/settings.json': '{\n  "hooks": {\n  oops\n' });
    const workspace = await createTempWorkspace();
    gemini().reply('Hello.');
    const { stdout, stderr } = await commandInProcess(['-p', 'Hi', '--trust', '--model', 'gemini-2.5-flash'], {
      cwd: workspace.path,
      environment: {
        GEMINI_API_KEY: 'test-key',
        GOOGLE_GEMINI_BASE_URL: gemini().url,
        GEMINI_CLI_HOME: home.path,
        GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(home.path, 'system.json'),
        GANTRY_HOME: home.path,
        HOME: home.path,
      },
    });
    assert.equal(stdout, 'Hello.\n');
    const file = join(home.path, '.gemini', 'settings.json');
    assert.equal(
      stderr,
      `A settings file is invalid. ${file}:3: The file is not valid JSON: a name or a text is not in quotes.\n`,
    );
    await workspace.dispose();
    await home.dispose();
  });
});
