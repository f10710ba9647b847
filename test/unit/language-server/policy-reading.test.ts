import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Diagnostic } from 'vscode-languageserver-protocol/node';
import type { Tier } from '../../../extension/policy/policy-types.ts';
import { seededRandom } from '../../support/crash/random.ts';
import { LspClient } from '../../support/language-server/lsp-client.ts';
import { runtimeProblems, shownProblems } from '../../support/language-server/runtime-problems.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';
import { runs } from '../../support/test-size.ts';
import { pick } from '../../support/wild-policies.ts';
import { mutated, wildPolicyText } from '../../support/wild-policy-text.ts';

const PLACES: readonly (readonly [Tier, path: string])[] = [
  ['user', 'home/.gemini/policies/wild.toml'],
  ['workspace', '.gemini/policies/wild.toml'],
  ['extension', 'home/.gemini/extensions/wild/policies/wild.toml'],
];
describe('The problems of an open policy file', () => {
  let place: TempFolder;
  let client: LspClient;
  before(async () => {
    place = await tempFolder('lsp');
    client = await LspClient.start({ root: place.path });
  });
  after(async () => {
    await client.stop();
    await place.dispose();
  });

  const openWith = async (path: string, text: string): Promise<{ uri: string; problems: readonly Diagnostic[] }> => {
    const uri = await client.open(join(place.path, path), text);
    return { uri, problems: await client.problems(uri) };
  };

  it('are those that the runtime reports, after each edit', async function () {
    this.timeout(runs(20_000, 600_000));
    const random = seededRandom(26);
    let texts = 0;
    let found = 0;
    while (texts < runs(150, 2000)) {
      const [tier, name] = pick(random, PLACES);
      const path = join(place.path, name);
      let text = '';
      const uri = await client.open(path, text);
      for (let edit = 0; edit < 10; edit++, texts++) {
        const changed = edit === 0 ? wildPolicyText(random) : mutated(random, text).replace(/^\uFEFF/, '');
        await (random.below(2) === 0 ? client.change(uri, changed) : client.edit(uri, text, changed));
        text = changed;
        const shown = shownProblems(await client.problems(uri));
        assert.deepEqual(shown, runtimeProblems(path, tier, text), JSON.stringify(text));
        found += shown.length;
      }
      await client.close(uri);
    }
    assert.ok(found > texts);
    assert.equal(client.errors, '');
  });

  const lines = ['[[rule]]', 'toolName = "glub"', 'decision = "deny"', 'priority = 5000', ''];
  const endings: readonly (readonly [what: string, text: string])[] = [
    ['LF', lines.join('\n')],
    ['CR LF', lines.join('\r\n')],
    ['mixed line ends', `# one\r\n\n# two\n${lines.join('\r\n')}`],
    ['a byte order mark', `\uFEFF${lines.join('\n')}`],
    ['characters of two units', `# 🙂\n${lines.join('\n').replace('= "glub"', '= ["🙂🙂", "glub"]')}`],
  ];
  for (const [what, text] of endings) {
    it(`are marked exactly, with ${what}`, async () => {
      const { uri, problems } = await openWith('home/.gemini/policies/ends.toml', text);
      const rows = text.split(/\r\n|\r|\n/);
      const marked = problems.map(({ range: { start, end } }) =>
        rows[start.line]?.slice(start.character, end.character),
      );
      await client.close(uri);
      assert.deepEqual(marked.filter((one) => !one?.includes('🙂')).sort(), ['"glub"', '5000']);
    });
  }

  it('are marked exactly in the first line of a file with a byte order mark', async () => {
    const { uri, problems } = await openWith('home/.gemini/policies/mark.toml', '\uFEFFrules = []\n');
    await client.close(uri);
    assert.deepEqual(problems[0]?.range, { start: { line: 0, character: 1 }, end: { line: 0, character: 6 } });
  });

  it('begin with the gravest, and say how many more there are', async () => {
    const text = `${'[[rule]]\nnam = 1\n'.repeat(400)}`;
    const { uri, problems } = await openWith('home/.gemini/policies/many.toml', text);
    assert.equal(problems.length, 500);
    assert.equal(problems.at(-1)?.message, 'And 1101 more problems in this file.');
    assert.ok(problems.slice(0, -1).every(({ severity }) => severity === 1));
    await client.close(uri);
  });

  it('name a file that is too long to be in force', async () => {
    const { uri, problems } = await openWith('home/.gemini/policies/long.toml', `# ${'x'.repeat(2 ** 20)}\n`);
    assert.deepEqual(
      problems.map(({ message }) => message),
      ['It could not be read: it is longer than 1 MB.'],
    );
    await client.close(uri);
  });
});
