import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import type { CodeAction, Diagnostic } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { ConfigDocument } from '../../../extension/language-server/config-document.ts';
import { jsonLanguage } from '../../../extension/language-server/json/json-language.ts';
import { readStartOptions } from '../../../extension/language-server/start-options.ts';
import { Workspace } from '../../../extension/language-server/workspace.ts';
import { wildConfig } from '../../support/language-server/wild-config.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';
import { runs } from '../../support/test-size.ts';

const language = jsonLanguage({ kind: 'settings', layer: 'project' });

describe('The language server for JSON files', () => {
  let folder: TempFolder;
  let path: string;

  before(async () => {
    folder = await tempFolder('json-robust');
    path = join(folder.path, '.gemini', 'settings.json');
    await mkdir(join(folder.path, 'home', '.gemini'), { recursive: true });
    const mine = { mcpServers: { docs: { command: 'docs' } }, tools: { exclude: ['glob'] } };
    await writeFile(join(folder.path, 'home', '.gemini', 'settings.json'), JSON.stringify(mine));
  });
  after(() => folder.dispose());

  const open = (text: string, trusted = true): readonly [ConfigDocument, Workspace] => {
    const uri = pathToFileURL(path).href;
    const options = readStartOptions({
      initializationOptions: { trusted, home: join(folder.path, 'home'), gantryHome: join(folder.path, 'gantry') },
      workspaceFolders: [{ uri: pathToFileURL(folder.path).href, name: 'project' }],
      processId: null,
      rootUri: null,
      capabilities: {},
    });
    const textOf = (asked: string): string | undefined => (asked === path ? text : undefined);
    const workspace = new Workspace(options, { textOf, lensesChanged: () => undefined });
    return [new ConfigDocument(TextDocument.create(uri, 'json', 1, text), path), workspace];
  };
  const messages = async (text: string, trusted = true): Promise<readonly string[]> =>
    (await language.problems(...open(text, trusted))).map(messageOf);

  it('reads no file of 5 MB, and says so', async () => {
    assert.deepEqual(await messages(`{"a": "${'x'.repeat(5_000_000)}"}`), [
      'Hooks could not be read: it is larger than 1 MB.',
      'MCP servers could not be read: it is larger than 1 MB.',
    ]);
  });

  const HOSTILE: Readonly<Record<string, string>> = {
    'a thousand brackets': `{"hooks": ${'['.repeat(1000)}`,
    'brackets that fill the file': '['.repeat(200_000),
    'names of servers that fill the file': `{"mcpServers": {${list(3000, (at) => `"s${at}": {"url": 5}`)}}}`,
    'events that fill the file': `{"hooks": {${list(3000, (at) => `"BeforeTol${at}": []`)}}}`,
    'tools that fill the file': `{"tools": {"exclude": [${list(3000, (at) => `"write_fil${at}"`)}]}}`,
    'settings that fill the file': `{${list(3000, (at) => `"hook${at}": 1`)}}`,
    'values that are ignored': `{"telemetry": {${list(3000, (at) => `"k${at}": 1`)}}}`,
    'one name again and again': `{${list(3000, () => '"hooks": {}')}}`,
    'quotes that never close': '"'.repeat(200_000),
    'bytes that are no text': '\u0000\uFFFD'.repeat(100_000),
    'a matcher made to hang': '{"hooks": {"BeforeTool": [{"matcher": "(a|aa)+$(?=x)", "hooks": []}]}}',
  };
  for (const [name, text] of Object.entries(HOSTILE)) {
    it(`answers about ${name}`, async () => {
      const [file, workspace] = open(text);
      const middle = Math.floor(text.length / 2);
      await language.problems(file, workspace);
      await language.completions?.(file, middle, workspace);
      await language.hover?.(file, middle, workspace);
      await language.links?.(file, workspace);
      language.names?.(file);
    });
  }

  it('looks at the open document alone in Restricted Mode', async () => {
    const text = JSON.stringify({
      mcpServers: { docs: { command: './gone.sh' } },
      mcp: { allowed: ['elsewhere'] },
      hooks: { BeforeTool: [{ hooks: [{ type: 'command', command: './gone.sh' }] }], BeforeTol: [] },
    });
    assert.deepEqual(await messages(text, false), [
      'The hook event "BeforeTol" is unknown. Did you mean "BeforeTool"?',
    ]);
    assert.equal((await messages(text)).length, 6);
    const [file, workspace] = open('{"tools": {"exclude": []}}', false);
    assert.deepEqual(await language.links?.(file, workspace), []);
    const hover = await language.hover?.(file, 14, workspace);
    assert.doesNotMatch(JSON.stringify(hover), /glob|home/);
  });

  it('offers fixes that mend what they name, and break nothing', async () => {
    const check = async (text: string): Promise<void> => {
      const [file, workspace] = open(text);
      const before = await messages(text);
      const whole = { start: { line: 0, character: 0 }, end: { line: 100_000, character: 0 } };
      for (const action of (await language.actions?.(file, whole, workspace)) ?? []) {
        const mended = applied(text, action, file.uri);
        const left = await language.problems(...open(mended));
        const after = left.map(messageOf);
        const [mends] = action.diagnostics ?? [];
        const named = mends ? messageOf(mends) : '';
        // A key that Gantry ignores may have been before another one for the same setting.
        const isLeft = left.some((other) => messageOf(other) === named && isDeepStrictEqual(other.range, mends?.range));
        const about = `${action.title}: ${named}\n${text}\n${mended}`;
        assert.ok(count(after, named) < count(before, named) || !isLeft, about);
        assert.ok(isValid(after) || !isValid(before), mended);
      }
    };
    await fc.assert(fc.asyncProperty(wildConfig('settings'), check), { numRuns: runs(30, 1000) });
  }).timeout(120_000);
});

function isValid(messages: readonly string[]): boolean {
  return !messages.some((message) => /not valid JSON/.test(message));
}

function messageOf({ message }: Diagnostic): string {
  return typeof message === 'string' ? message : message.value;
}

function list(length: number, item: (at: number) => string): string {
  return Array.from({ length }, (_, at) => item(at)).join(',');
}

function applied(text: string, { edit }: CodeAction, uri: string): string {
  return TextDocument.applyEdits(TextDocument.create(uri, 'json', 1, text), edit?.changes?.[uri] ?? []);
}

function count(messages: readonly string[], wanted: string): number {
  return messages.filter((message) => message === wanted).length;
}
