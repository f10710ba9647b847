import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { after, afterEach, before, describe, it } from 'mocha';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { AgentSettings } from '../../../extension/agents/agent-settings.ts';
import { SettingsReader } from '../../../extension/gemini-config/settings-reader.ts';
import { settingsNotes } from '../../../extension/gemini-config/unapplied.ts';
import { ExtensionCatalog } from '../../../extension/gemini-extensions/extension-catalog.ts';
import { HookCatalog } from '../../../extension/hooks/hook-catalog.ts';
import { ConfigDocument } from '../../../extension/language-server/config-document.ts';
import type { JsonKind } from '../../../extension/language-server/document-kind.ts';
import { jsonProblems } from '../../../extension/language-server/json/json-checks.ts';
import { jsonSource } from '../../../extension/language-server/json/json-file-source.ts';
import type { JsonProblem } from '../../../extension/language-server/json/json-problem.ts';
import { readStartOptions } from '../../../extension/language-server/start-options.ts';
import { Workspace } from '../../../extension/language-server/workspace.ts';
import { ServerCatalog } from '../../../extension/mcp/server-catalog.ts';
import { readGenerationConfig } from '../../../extension/model/catalog/generation-settings.ts';
import { readUserConfigs } from '../../../extension/model/catalog/user-configs.ts';
import { installExtension } from '../../support/gemini-extensions.ts';
import { wildConfig } from '../../support/language-server/wild-config.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';
import { runs } from '../../support/test-size.ts';

/** Where each kind of file is, below the folder of the test. */
const FILES: readonly (readonly [path: string, kind: JsonKind])[] = [
  ['project/.gemini/settings.json', { kind: 'settings', layer: 'project' }],
  ['home/.gemini/settings.json', { kind: 'settings', layer: 'user' }],
  ['project/.vscode/mcp.json', { kind: 'servers', scope: 'project' }],
  ['home/.gemini/extensions/tool/gemini-extension.json', { kind: 'extension' }],
  ['home/.gemini/extensions/tool/hooks/hooks.json', { kind: 'hooks' }],
];

/** What only authors want to know. */
const FOR_AUTHORS: readonly JsonProblem['kind'][] = ['matcher', 'program', 'variable', 'name', 'key'];
/** What the runtime writes into its log in one line. */
const IN_NOTES: readonly JsonProblem['kind'][] = ['setting', 'unapplied'];

describe('The problems of a JSON file that configures the agent', () => {
  let folder: TempFolder;
  const at = (path: string): string => join(folder.path, path);

  before(async () => {
    folder = await tempFolder('json-equality');
    await mkdir(at('project'));
    await installExtension(at('home'), 'tool');
  });
  // What one test has left would have a say in the next.
  afterEach(async () => {
    for (const [path] of FILES) await rm(at(path), { force: true });
    await installExtension(at('home'), 'tool');
  });
  after(() => folder.dispose());

  for (const [path, kind] of FILES) {
    it(`are those that the runtime reports: ${path}`, async () => {
      const check = async (text: string): Promise<void> => {
        await mkdir(dirname(at(path)), { recursive: true });
        await writeFile(at(path), text);
        const [found, { reported, notes }] = await Promise.all([inEditor(at(path), kind, text), inRuntime(at(path))]);
        const [damaged] = found.filter((problem) => problem.kind === 'json');
        const told = found.filter(({ kind: one }) => !FOR_AUTHORS.includes(one) && !IN_NOTES.includes(one)).map(textOf);
        // The runtime says it for each thing that it can't read from the file.
        if (damaged) {
          assert.equal(told.length, 1);
          assert.ok(reported.length > 0 && reported.every((text) => text.startsWith(`${damaged.line}: `)));
          assert.ok(reported.includes(told[0] ?? ''));
        } else assert.deepEqual(told.sort(), reported.sort());
        assert.equal(found.filter(({ kind: one }) => IN_NOTES.includes(one)).length, notes);
      };
      await fc.assert(fc.asyncProperty(wildConfig(kind.kind), check), { numRuns: runs(20, 2000) });
    }).timeout(runs(120_000, 1_800_000));
  }

  async function inEditor(path: string, kind: JsonKind, text: string): Promise<readonly JsonProblem[]> {
    const uri = pathToFileURL(path).href;
    const options = readStartOptions({
      initializationOptions: { trusted: true, home: at('home'), gantryHome: at('gantry') },
      workspaceFolders: [{ uri: pathToFileURL(at('project')).href, name: 'project' }],
      processId: null,
      rootUri: null,
      capabilities: {},
    });
    const textOfOpen = (asked: string): string | undefined => (asked === path ? text : undefined);
    const workspace = new Workspace(options, { textOf: textOfOpen, lensesChanged: () => undefined });
    const file = new ConfigDocument(TextDocument.create(uri, 'json', 1, text), path);
    return jsonProblems(file, jsonSource(kind, path, at('project')), workspace);
  }

  async function inRuntime(path: string): Promise<{ readonly reported: string[]; readonly notes: number }> {
    const workspace = { roots: () => [at('project')], isTrusted: () => true };
    const places = { workspace, environment: { GEMINI_CLI_HOME: at('home') }, home: at('home') };
    const found = new ExtensionCatalog(places);
    const extensions = (): ReturnType<ExtensionCatalog['current']> => found.current();
    const servers = new ServerCatalog({ ...places, acceptedFile: undefined, extensions });
    const agents = new AgentSettings({ ...places, readGeneration: readGenerationConfig });
    const settings = new SettingsReader(places);
    const hooks = await new HookCatalog({ ...places, trustFile: undefined, extensions }).refresh();
    await Promise.all([servers.refresh(), agents.refresh(), settings.refresh()]);
    const models = readUserConfigs(settings.settings.own('modelConfigs')?.value, 'modelConfigs').problems;
    const all = [...hooks, ...servers.problems, ...agents.problems, ...found.problems];
    const ofFile = all.filter(({ file }) => file === path).map(textOf);
    const isOfUser = path === at('home/.gemini/settings.json');
    const notes = settingsNotes(settings.settings).join('\n').split(`in ${path}`).length - 1;
    return { reported: [...ofFile, ...(isOfUser ? models.map(({ text }) => text) : [])], notes };
  }
});

/** The runtime doesn't know the lines of settings for models. */
function textOf(problem: { readonly line: number; readonly text: string; readonly kind?: string }): string {
  return problem.kind === 'models' ? problem.text : `${problem.line}: ${problem.text}`;
}
