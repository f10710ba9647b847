import assert from 'node:assert/strict';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ExtensionCatalog } from '../../../extension/gemini-extensions/extension-catalog.ts';
import { everything, installExtension, manifest } from '../../support/gemini-extensions.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';

describe('The extensions of Gemini CLI', () => {
  let folder: TempFolder;
  let trusted: boolean;
  const home = () => join(folder.path, 'home');
  const project = () => join(folder.path, 'project');
  const enablement = () => join(home(), '.gemini', 'extensions', 'extension-enablement.json');
  const open = (roots = [project()]) =>
    new ExtensionCatalog({
      workspace: { roots: () => roots, isTrusted: () => trusted },
      environment: { GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(home(), 'system.json') },
      home: home(),
    });
  const looked = async (roots?: string[]): Promise<ExtensionCatalog> => {
    const catalog = open(roots);
    await catalog.refresh();
    return catalog;
  };
  const names = (catalog: ExtensionCatalog) => catalog.inUse().map(({ name }) => name);
  const told = ({ problems }: ExtensionCatalog) =>
    problems.map(({ file, line, text }) => `${file.slice(home().length + '/.gemini/'.length)}:${line}: ${text}`);

  beforeEach(async () => {
    folder = await tempFolder('extensions');
    trusted = true;
    await mkdir(project(), { recursive: true });
    await mkdir(join(home(), '.gemini', 'extensions'), { recursive: true });
  });
  afterEach(() => folder.dispose());

  it('are those of the user’s folder, with all that their manifests say', async () => {
    const at = await installExtension(home(), 'issues', everything('issues'));
    await writeFile(join(home(), '.gemini', 'extensions', 'notes.txt'), 'no extension');
    await installExtension(project(), 'theirs');
    const catalog = await looked();
    assert.deepEqual(catalog.extensions(), [
      {
        name: 'issues',
        version: '1.0.0',
        description: 'About issues.',
        manifest: join(at, 'gemini-extension.json'),
        folder: at,
        contextFiles: [join('docs', 'CONTEXT.md')],
        servers: ['tracker'],
        excludeTools: [
          { tool: 'web_fetch', line: 23 },
          { tool: 'run_shell_command(rm -rf)', line: 24 },
        ],
        settings: [{ name: 'Key', description: 'For the tracker', variable: 'TRACKER_KEY', isSensitive: true }],
        isEnabled: true,
      },
    ]);
    assert.deepEqual(catalog.problems, []);
  });

  it('are there when they are installed, and gone when they are removed, which is reported', async () => {
    const catalog = await looked();
    let changes = 0;
    const end = catalog.onDidChange(() => changes++);
    const at = await installExtension(home(), 'a');
    await catalog.refresh();
    await catalog.refresh();
    assert.deepEqual([names(catalog), changes], [['a'], 1]);
    await writeFile(join(at, 'gemini-extension.json'), manifest('a', { version: '2.0.0' }));
    await catalog.refresh();
    assert.deepEqual([catalog.extensions()[0]?.version, changes], ['2.0.0', 2]);
    await rm(at, { recursive: true });
    await catalog.refresh();
    assert.deepEqual([names(catalog), changes], [[], 3]);
    end();
    await installExtension(home(), 'b');
    await catalog.refresh();
    assert.equal(changes, 3);
  });

  it('bring nothing along in Restricted Mode but the rules of those that are on', async () => {
    await installExtension(home(), 'a', everything('a'));
    trusted = false;
    const catalog = await looked();
    assert.deepEqual([await catalog.current(), catalog.enabled().length], [[], 1]);
    assert.deepEqual(
      catalog.rules.map(({ toolName, decision, argsPattern }) => [toolName, decision, argsPattern !== undefined]),
      [
        ['web_fetch', 'deny', false],
        ['run_shell_command', 'deny', true],
      ],
    );
  });

  it('are switched off and on for a folder or for everything, in the file of Gemini CLI', async () => {
    await installExtension(home(), 'a');
    await installExtension(home(), 'b');
    const catalog = await looked();
    await catalog.setEnabled('a', 'workspace', false);
    assert.deepEqual(names(catalog), ['b']);
    assert.deepEqual(JSON.parse(await readFile(enablement(), 'utf8')), { a: { overrides: [`!${project()}/*`] } });
    assert.deepEqual(names(await looked([join(project(), 'below')])), ['b']);
    assert.deepEqual(names(await looked([home()])), ['a', 'b']);
    await catalog.setEnabled('a', 'workspace', true);
    assert.deepEqual(names(catalog), ['a', 'b']);
    await catalog.setEnabled('b', 'user', false);
    assert.deepEqual(names(await looked([join(home(), 'work')])), ['a']);
    assert.deepEqual(names(await looked([])), ['a']);
    await assert.rejects(catalog.setEnabled('c', 'user', true), /no extension "c"/);
    await assert.rejects((await looked([])).setEnabled('a', 'workspace', true), /No folder is open/);
  });

  it('keep what else is in that file, and are all off when nobody can tell what it says', async () => {
    await installExtension(home(), 'a');
    await writeFile(enablement(), JSON.stringify({ other: { overrides: ['!/x/*'], note: 1 } }));
    const catalog = await looked();
    await catalog.setEnabled('a', 'workspace', false);
    await catalog.setEnabled('a', 'workspace', true);
    assert.deepEqual(JSON.parse(await readFile(enablement(), 'utf8')), {
      other: { overrides: ['!/x/*'], note: 1 },
      a: { overrides: [`${project()}/*`] },
    });
    await writeFile(enablement(), '{\n  "a": [');
    const broken = await looked();
    assert.deepEqual(names(broken), []);
    assert.match(told(broken).join(), /extension-enablement\.json:2: All extensions are off/);
    await assert.rejects(broken.setEnabled('a', 'workspace', true), /extension-enablement\.json:2 is invalid/);
    await catalog.refresh();
    assert.deepEqual(names(catalog), ['a'], 'what was known counts while somebody types');
  });

  it('are omitted with the file and the line where something is wrong, and the others stay', async () => {
    const broken = (name: string, text: string) => installExtension(home(), name, { 'gemini-extension.json': text });
    await broken('a-text', '{\n  "name": "x",\n  "version": }');
    await broken('b-name', '{\n  "version": "1",\n  "name": "../x"\n}');
    await broken('c-version', '{\n  "name": "c"\n}');
    await broken('d-fields', manifest('d', { contextFileName: 7, excludeTools: 'x', settings: [{ name: 'n' }] }));
    await mkdir(join(home(), '.gemini', 'extensions', 'e-empty'));
    await installExtension(home(), 'f-install', { '.gemini-extension-install.json': '{"type":"magic"}' });
    await installExtension(home(), 'good');
    const catalog = await looked();
    assert.deepEqual(names(catalog), ['d', 'good']);
    assert.deepEqual(catalog.extensions()[0]?.contextFiles, ['GEMINI.md']);
    const expected = [
      /^extensions\/a-text\/gemini-extension\.json:3: The file is not valid JSON/,
      /^extensions\/b-name\/gemini-extension\.json:3: The extension is ignored: it needs a "name"/,
      /^extensions\/c-version\/gemini-extension\.json:1: The extension is ignored: it needs a "version"/,
      /^extensions\/d-fields\/gemini-extension\.json:5: "excludeTools" is ignored/,
      /^extensions\/d-fields\/gemini-extension\.json:4: "contextFileName" is ignored/,
      /^extensions\/d-fields\/gemini-extension\.json:7: An entry in "settings" is ignored/,
      /^extensions\/e-empty\/gemini-extension\.json:1: The extension has no gemini-extension\.json/,
      /^extensions\/f-install\/\.gemini-extension-install\.json:1: The source of this extension is unknown/,
    ];
    const texts = told(catalog);
    assert.equal(texts.length, expected.length, texts.join('\n'));
    for (const [index, pattern] of expected.entries()) assert.match(texts[index] ?? '', pattern);
    assert.equal(catalog.takeNews().length, expected.length);
    assert.deepEqual(catalog.takeNews(), [], 'each is told once');
  });

  it('cannot reach out of their folders with a manifest or the names of context files', async () => {
    await writeFile(join(folder.path, 'outside.json'), manifest('outside'));
    await mkdir(join(home(), '.gemini', 'extensions', 'linked'));
    await symlink(
      join(folder.path, 'outside.json'),
      join(home(), '.gemini', 'extensions', 'linked', 'gemini-extension.json'),
    );
    const contextFileName = ['../../x.md', '/etc/passwd', `\${extensionPath}/ok.md`, 'a/../../b', '.'];
    await installExtension(home(), 'paths', { 'gemini-extension.json': manifest('paths', { contextFileName }) });
    const catalog = await looked();
    assert.deepEqual(
      catalog.extensions().map(({ name, contextFiles }) => [name, contextFiles]),
      [['paths', ['ok.md']]],
    );
    assert.match(
      told(catalog)[0] ?? '',
      /linked\/gemini-extension\.json:1: It links to a file outside the extension's folder/,
    );
    assert.equal(told(catalog).filter((text) => /is outside the extension's folder/.test(text)).length, 4);
  });

  it('may stay where they are worked on, when Gemini CLI has linked them', async () => {
    const elsewhere = join(folder.path, 'work', 'mine');
    await mkdir(elsewhere, { recursive: true });
    await writeFile(join(elsewhere, 'gemini-extension.json'), manifest('mine'));
    const link = join(home(), '.gemini', 'extensions', 'mine');
    await mkdir(link);
    await writeFile(join(link, '.gemini-extension-install.json'), JSON.stringify({ type: 'link', source: elsewhere }));
    const catalog = await looked();
    assert.deepEqual(
      catalog.extensions().map((each) => each.folder),
      [elsewhere],
    );
    await writeFile(join(elsewhere, 'gemini-extension.json'), manifest('mine', { version: '3' }));
    await catalog.refresh();
    assert.equal(catalog.extensions()[0]?.version, '3');
    await rm(elsewhere, { recursive: true });
    await catalog.refresh();
    assert.match(told(catalog).join(), /install\.json:1: The folder that the extension is linked to does not exist/);
  });

  it('of the same name count once, the first folder by name', async () => {
    await installExtension(home(), 'one', { 'gemini-extension.json': manifest('same', { version: '1' }) });
    await installExtension(home(), 'two', { 'gemini-extension.json': manifest('Same', { version: '2' }) });
    const catalog = await looked();
    assert.deepEqual(
      catalog.extensions().map(({ version }) => version),
      ['1'],
    );
    assert.match(told(catalog).join(), /two\/gemini-extension\.json:1: The extension "Same" is ignored: .*one/);
  });

  const GIT = { type: 'git', source: 'https://example.org/good/a' };
  const LIMITS: readonly [string, object, object | undefined, string[]][] = [
    ['nothing about them', {}, GIT, ['a']],
    ['no Git, and it is from there', { security: { blockGitExtensions: true } }, GIT, []],
    ['no Git, and it is not', { security: { blockGitExtensions: true } }, { ...GIT, type: 'local' }, ['a']],
    ['only some, and it is one', { security: { allowedExtensions: ['example\\.org/good'] } }, GIT, ['a']],
    ['only others', { security: { allowedExtensions: ['^https://other', '('] } }, GIT, []],
    ['only some, and it is not known', { security: { allowedExtensions: ['.'] } }, undefined, []],
    ['none at all', { admin: { extensions: { enabled: false } } }, GIT, []],
    ['what cannot be understood', { security: { allowedExtensions: 'x' } }, GIT, []],
  ];
  for (const [what, settings, install, expected] of LIMITS) {
    it(`are used as far as the settings allow: ${what}`, async () => {
      await installExtension(home(), 'a', {
        ...(install && { '.gemini-extension-install.json': JSON.stringify(install) }),
      });
      await writeFile(join(home(), 'system.json'), JSON.stringify(settings));
      assert.deepEqual(names(await looked()), expected);
    });
  }
});
