import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import { CancellationTokenSource, type Position } from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { once } from '../../../extension/base/once.ts';
import type { SchemaKind } from '../../../extension/language-server/json/config-schemas.ts';
import { type Random, seededRandom } from '../../support/crash/random.ts';
import { LspClient } from '../../support/language-server/lsp-client.ts';
import { runtimeProblems, shownProblems } from '../../support/language-server/runtime-problems.ts';
import { wildConfig } from '../../support/language-server/wild-config.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';
import { runs } from '../../support/test-size.ts';
import { wildAgent, wildCommand, wildMemory, wildSkill } from '../../support/wild-customizations.ts';
import { pick } from '../../support/wild-policies.ts';
import { mutated, wildPolicyText } from '../../support/wild-policy-text.ts';

const POLICY = 'home/.gemini/policies/wild.toml';
const NAMES = [
  POLICY,
  '.gemini/policies/wild.toml',
  '.gemini/agents/wild.md',
  '.gemini/commands/wild.toml',
  '.gemini/settings.json',
  '.gemini/skills/wild/SKILL.md',
  '.gemini/extensions/wild/hooks/hooks.json',
  '.vscode/mcp.json',
  'GEMINI.md',
  'gemini-extension.json',
  'nothing.txt',
];

/** About a place in a document. */
const REQUESTS = [
  ['completion', {}],
  ['hover', {}],
  ['definition', {}],
  ['references', { context: { includeDeclaration: true } }],
  ['prepareRename', {}],
  ['rename', { newName: 'other' }],
  ['codeAction', { context: { diagnostics: [] } }],
  ['codeLens', {}],
  ['documentLink', {}],
  ['documentSymbol', {}],
  ['foldingRange', {}],
  ['formatting', { options: { tabSize: 2, insertSpaces: true } }],
  ['inlayHint', {}],
  ['semanticTokens/full', {}],
] as const;

describe('The language server', () => {
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

  it('answers or cancels whatever is sent, in any order, and shows the last state', async function () {
    this.timeout(runs(30_000, 1_200_000));
    const random = seededRandom(3);
    const documents = new Map<string, TextDocument>();
    for (let count = 0; count < runs(300, 10_000); count++) {
      const asked: Promise<unknown>[] = [];
      for (let step = random.below(12); step >= 0; step--) {
        const name = pick(random, NAMES);
        const uri = client.uri(join(place.path, name));
        const document = documents.get(uri);
        if (!document || random.below(30) === 0) documents.set(uri, await open(uri, wildText(random, name)));
        else if (random.below(40) === 0) await close(uri, documents);
        else if (random.below(2) === 0) await change(document, random);
        asked.push(request(uri, random));
      }
      await Promise.all(asked);
      if (count % 20 > 0) continue;
      const policy = documents.get(client.uri(join(place.path, POLICY)));
      // With a byte order mark, the places of the first line are others.
      if (policy && !policy.getText().startsWith('\uFEFF'))
        assert.deepEqual(await shownOf(policy), reportedOf(policy), JSON.stringify(policy.getText()));
    }
    assert.equal(client.process.exitCode, null);
  });

  it('keeps up with a thousand edits in a second', async function () {
    this.timeout(20_000);
    const random = seededRandom(4);
    const uri = client.uri(join(place.path, POLICY));
    let document = await open(uri, wildText(random, POLICY));
    const asked: Promise<unknown>[] = [];
    for (let count = 0; count < 1000; count++) {
      await change(document, random);
      if (count % 50 === 0) asked.push(request(uri, random));
      if (document.getText().length > 5000) document = await open(uri, wildText(random, POLICY));
    }
    await Promise.all(asked);
    assert.deepEqual(await shownOf(document), reportedOf(document));
  });

  let version = 0;
  const open = async (uri: string, text: string): Promise<TextDocument> => {
    version++;
    const textDocument = { uri, languageId: 'plaintext', version, text };
    await client.connection.sendNotification('textDocument/didOpen', { textDocument });
    return TextDocument.create(uri, '', version, text);
  };
  const close = async (uri: string, documents: Map<string, TextDocument>): Promise<void> => {
    documents.delete(uri);
    await client.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  };
  /** Also with places that don't exist. */
  const change = async (document: TextDocument, random: Random): Promise<void> => {
    const before = document.getText();
    const text = mutated(random, '');
    const range = { start: wildPosition(random), end: wildPosition(random) };
    const contentChanges = random.below(3) === 0 ? [{ text: mutated(random, before) }] : [{ range, text }];
    version++;
    // A change of a document that is not open, or that is older, changes nothing that is open.
    if (random.below(20) === 0) await changed({ uri: `${document.uri}x`, version }, contentChanges);
    await changed({ uri: document.uri, version }, contentChanges);
    TextDocument.update(document, contentChanges, version);
  };
  const changed = (textDocument: { uri: string; version: number }, contentChanges: readonly object[]): Promise<void> =>
    client.connection.sendNotification('textDocument/didChange', { textDocument, contentChanges });

  /** Settles when the server has answered, and rejects if it answers with anything but a reason of the protocol. */
  const request = async (uri: string, random: Random): Promise<unknown> => {
    const [method, more] = pick(random, REQUESTS);
    const [position, end] = [wildPosition(random), wildPosition(random)];
    const params = { textDocument: { uri }, position, range: { start: position, end }, ...more };
    const source = new CancellationTokenSource();
    const answer = client.connection.sendRequest(`textDocument/${method}`, params, source.token);
    if (random.below(5) === 0) source.cancel();
    return answer.catch((error: unknown) => {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      // Cancelled, modified meanwhile, or a name that can't be changed.
      assert.ok([-32800, -32801, -32803].includes(Number(code)), `${method}: ${error}`);
    });
  };
  const shownOf = async ({ uri, version }: TextDocument): Promise<readonly string[]> =>
    shownProblems(await client.problems(uri, version));
  const reportedOf = (document: TextDocument): readonly string[] =>
    runtimeProblems(join(place.path, POLICY), 'user', document.getText());
});

/** Mostly a text of the kind that the name promises, so that more than the first line of it is read. */
function wildText(random: Random, name: string): string {
  const ofKind = WRITERS.find(([end]) => name.endsWith(end))?.[1] ?? wildPolicyText;
  const write = random.below(4) > 0 ? ofKind : pick(random, [...WRITERS.map(([, other]) => other), binary, utf16]);
  return mutated(random, write(random));
}

const WRITERS: readonly (readonly [end: string, write: (random: Random) => string])[] = [
  ['agents/wild.md', wildAgent],
  ['SKILL.md', wildSkill],
  ['commands/wild.toml', wildCommand],
  ['GEMINI.md', (random) => wildMemory(random)['GEMINI.md'] ?? ''],
  ['settings.json', wildJson('settings')],
  ['hooks.json', wildJson('hooks')],
  ['mcp.json', wildJson('servers')],
  ['gemini-extension.json', wildJson('extension')],
];

function wildJson(kind: SchemaKind): (random: Random) => string {
  const texts = once(() => fc.sample(wildConfig(kind), { numRuns: 50, seed: 5 }));
  return (random) => pick(random, texts());
}

function binary(random: Random): string {
  return String.fromCharCode(...Array.from({ length: 200 }, () => random.below(65_536)));
}

function utf16(random: Random): string {
  return Buffer.from(wildPolicyText(random), 'utf16le').toString('latin1');
}

function wildPosition(random: Random): Position {
  return {
    line: random.below(pick(random, [3, 40, 100_000])),
    character: random.below(pick(random, [3, 40, 100_000])),
  };
}

describe('In a folder of policies that somebody prepared', () => {
  it('the language server names what is no file, and follows and waits for nothing', async function () {
    if (process.platform === 'win32') this.skip();
    const folder = await tempFolder('lsp');
    const at = (name: string): string => join(folder.path, '.gemini/policies', name);
    await mkdir(at('folder.toml'), { recursive: true });
    execFileSync('mkfifo', [at('pipe.toml')]);
    await writeFile(join(folder.path, 'secret.toml'), '[[rule]]\ntoolName = 5\n');
    await symlink('../../secret.toml', at('link.toml'));
    await writeFile(at('closed.toml'), '[[rule]]\n');
    await chmod(at('closed.toml'), 0);
    await writeFile(at('good.toml'), '');
    const client = await LspClient.start({ root: folder.path });
    const uri = await client.open(at('good.toml'), '[[rule]]\n');
    assert.equal((await client.problems(uri)).length, 3);
    const said = async (name: string): Promise<unknown[]> =>
      (await client.problemsOfClosed(at(name))).map(({ message }) => message);
    assert.deepEqual(await said('folder.toml'), ['It is ignored: there is a folder in its place.']);
    assert.deepEqual(await said('pipe.toml'), ['It is ignored: it is not a regular file.']);
    assert.deepEqual(await said('link.toml'), ['It is ignored: there is a link in its place.']);
    if (process.getuid?.() !== 0) assert.match(String(await said('closed.toml')), /^It could not be read/);
    await client.stop();
    await folder.dispose();
  });
});
