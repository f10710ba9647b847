import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { before, describe, it } from 'mocha';
import { CompletionRequest } from 'vscode-languageserver-protocol/node';
import { goldenCases } from '../../support/language-server/golden-cases.ts';
import { NeovimClient } from '../../support/language-server/neovim-client.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { isFullRun } from '../../support/test-size.ts';

const FOLDERS = isFullRun
  ? (['policy', 'agents', 'skills', 'commands', 'memory', 'json'] as const)
  : (['policy'] as const);

/** Where Neovim is not installed, these tests are skipped. */
describe('In Neovim, by its own language client', () => {
  before(async function () {
    if (!(await NeovimClient.isInstalled())) this.skip();
  });

  it('what is typed is known at once', async () => {
    const place = await tempFolder('nvim');
    const path = join(place.path, '.gemini/policies/rules.toml');
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, '[[rule]]\n# é 😀\npriority = 1\n');
    const client = await NeovimClient.start({ root: place.path });
    try {
      const uri = await client.open(path);
      await client.insert(2, 0, 'toolName = "x"\nmod\n');
      const about = { textDocument: { uri }, position: { line: 3, character: 3 } };
      const found = await client.connection.sendRequest(CompletionRequest.type, about);
      const labels = (Array.isArray(found) ? found : []).map(({ label }) => label);
      assert.ok(labels.includes('modes') && !labels.includes('priority') && !labels.includes('toolName'), `${labels}`);
    } finally {
      await client.stop();
      await place.dispose();
    }
  });

  for (const folder of FOLDERS) {
    describe(`with files of the folder ${folder}`, () => {
      // Each starts a process to ask Neovim.
      goldenCases(folder, {
        start: NeovimClient.start,
        isChosen: (name) => isFullRun || `${folder}/${name}` === 'policy/rename-server.txt',
      });
    });
  }
});
