import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import {
  CodeActionRequest,
  CompletionRequest,
  DefinitionRequest,
  DocumentLinkRequest,
  DocumentSymbolRequest,
  FoldingRangeRequest,
  HoverRequest,
  InlayHintRequest,
  ReferencesRequest,
  SemanticTokensRequest,
} from 'vscode-languageserver-protocol/node';
import { LspClient } from '../../support/language-server/lsp-client.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';

const AGENT = '.gemini/agents/a.md';
const SKILL = '.gemini/skills/a/SKILL.md';
const COMMAND = '.gemini/commands/a.toml';

const POLICY = 'home/.gemini/policies/a.toml';

const rule = (line: string): string => `[[rule]]\ntoolName = "*"\ndecision = "deny"\npriority = 1\n${line}\n`;
const front = (yaml: string): string => `---\nname: a\ndescription: b\n${yaml}\n---\nText\n`;
const bomb = Array.from({ length: 20 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`).join('\n');
const megabytes = (unit: string): string => unit.repeat(5_000_000 / unit.length);

/** Texts that are refused by the limits of the runtime, and what is said about them. */
const REFUSED: readonly (readonly [what: string, path: string, text: string, said: RegExp])[] = [
  ['a policy in UTF-16', POLICY, Buffer.from(rule(''), 'utf16le').toString('latin1'), /not TOML/],
  ['a pattern made to hang', POLICY, rule("argsPattern = '(a|aa)+$(?=x)'"), /could take forever/],
  ['a thousand nested tables in a policy', POLICY, rule(`a = ${'{a = '.repeat(2000)}`), /not TOML/],
  ['an agent of 5 MB', AGENT, megabytes('---\na: b\n'), /it is larger than 256 KB/],
  ['an agent with a NUL', AGENT, `${front('x: y')}\0`, /it is not a text/],
  ['aliases that explode', AGENT, front(`a0: &a0 [x]\n${bomb}`), /the aliases repeat too much/],
  ['lists in lists', AGENT, front(`tools: ${'['.repeat(1000)}`), /nested too deeply/],
  ['objects as keys of objects', AGENT, front(`tools: ${'{'.repeat(1000)}`), /nested too deeply/],
  ['front matter of 100 kB', AGENT, front('a: b\n'.repeat(20_000)), /longer than 32 kB/],
  ['front matter without an end', AGENT, '---\nname: a\n', /must begin with front matter/],
  ['a skill of 5 MB', SKILL, front(megabytes('a: b\n')), /larger than 200 kB/],
  ['a skill with aliases that explode', SKILL, `---\na0: &a0 [x]\n${bomb}\n---\n`, /the aliases repeat too much/],
  ['a command of 5 MB', COMMAND, megabytes('prompt = "a"\n'), /larger than 200 kB/],
  ['a thousand nested tables', COMMAND, `prompt = ${'{a = '.repeat(2000)}`, /not valid TOML/],
  ['a thousand nested lists', COMMAND, `prompt = ${'['.repeat(2000)}`, /not valid TOML/],
  ['marks without an end', COMMAND, `description = "a"\nprompt = '${'@{'.repeat(50_000)}'`, /not balanced/],
  ['arguments in quotes', COMMAND, `prompt = '!{${'"{{args}}'.repeat(500)}}'`, /without quotes/],
  ['instructions of 5 MB', 'GEMINI.md', megabytes('Use tabs. '), /The file is too long/],
  ['thousands of imports', 'GEMINI.md', '@./no.md '.repeat(5000), /And \d+ more problems/],
];

describe('What nobody writes on purpose', () => {
  let root: TempWorkspace;
  let client: LspClient;

  before(async () => {
    root = await createTempWorkspace({ 'docs/a.md': 'A' });
    client = await LspClient.start({ root: root.path, options: { home: root.path } });
  });
  after(async () => {
    await client.stop();
    await root.dispose();
  });

  for (const [what, path, text, said] of REFUSED) {
    it(`is named, and every question about it is answered: ${what}`, async () => {
      const uri = await client.open(join(root.path, path), text);
      const problems = await client.problems(uri);
      assert.match(problems.map(({ message }) => message).join('\n'), said);
      assert.ok(problems.length <= 500);
      await askEverything(client, uri);
      await client.close(uri);
      assert.equal(client.errors, '');
    });
  }

  it('is not opened: pipes, and links that lead out of the project', async () => {
    execFileSync('mkfifo', [join(root.path, 'pipe.md')]);
    await symlink('/etc', join(root.path, 'etc'));
    const memory = await client.open(join(root.path, 'GEMINI.md'), '@./pipe.md @./etc/passwd');
    const command = await client.open(join(root.path, COMMAND), "prompt = '@{pipe.md} @{etc/passwd}'");
    const said = async (uri: string): Promise<readonly string[]> =>
      (await client.problems(uri)).map(({ message, code }) => `${code}: ${message}`).sort();
    assert.deepEqual(await said(memory), [
      'outside: @./etc/passwd was not imported: it is outside the folders that files can be imported from.',
      'unreadable: @./pipe.md was not imported: it is not a text file.',
    ]);
    const [, ...ofCommand] = await said(command);
    assert.match(ofCommand[0] ?? '', /not-injected: Path not in workspace: "etc\/passwd"/);
    assert.match(ofCommand[1] ?? '', /not-injected: pipe\.md is not a regular file/);
    await client.close(memory);
    await client.close(command);
  });

  it('has the same places with any line ends', async () => {
    const uri = await client.open(join(root.path, AGENT), '---\r\nname: a\ncolour: red\r\ndescription: b\n---\r\n');
    const [problem] = await client.problems(uri);
    assert.deepEqual(problem?.range, { start: { line: 2, character: 0 }, end: { line: 2, character: 6 } });
    await client.close(uri);
  });
});

describe('In Restricted Mode', () => {
  const TEXTS: Readonly<Record<string, string>> = {
    [AGENT]: front('mcp_servers: { docs: { command: x } }\ntools: [mcp_web_a]'),
    [SKILL]: front('license: MIT'),
    [COMMAND]: 'prompt = "@{docs/a.md} !{make} /b"\n',
    'GEMINI.md': 'Use @docs/a.md and /b\n',
  };

  it('nothing but the open document is looked at', async () => {
    const answers = await Promise.all([{}, FULL].map((files) => answersIn(files)));
    assert.deepEqual(answers[0], answers[1]);
  });

  const FULL = {
    'docs/a.md': 'A',
    '.gemini/agents/b.md': front('model: flash'),
    '.gemini/skills/b/SKILL.md': front('license: MIT'),
    '.gemini/commands/b.toml': 'prompt = "b"',
    '.gemini/settings.json': '{ "mcpServers": { "web": { "command": "x" } }, "context": { "fileName": "X.md" } }',
  };

  async function answersIn(files: Readonly<Record<string, string>>): Promise<readonly unknown[]> {
    const root = await createTempWorkspace(files);
    const client = await LspClient.start({ root: root.path, trusted: false, options: { home: root.path } });
    const answers: unknown[] = [];
    for (const [path, text] of Object.entries(TEXTS)) {
      const uri = await client.open(join(root.path, path), text);
      answers.push(await client.problems(uri), await askEverything(client, uri));
    }
    await client.stop();
    await root.dispose();
    return JSON.parse(JSON.stringify(answers).replaceAll(root.path, '/root'));
  }
});

/** The answers to all requests at some places of a document. */
async function askEverything({ connection }: LspClient, uri: string): Promise<readonly unknown[]> {
  const textDocument = { uri };
  const positions = [
    [0, 0],
    [1, 3],
    [3, 5],
    [0, 14],
  ].map(([line = 0, character = 0]) => ({ line, character }));
  const range = { start: { line: 0, character: 0 }, end: { line: 100, character: 0 } };
  const atPlaces = positions.flatMap((position) => [
    connection.sendRequest(CompletionRequest.type, { textDocument, position }),
    connection.sendRequest(HoverRequest.type, { textDocument, position }),
    connection.sendRequest(DefinitionRequest.type, { textDocument, position }),
    connection.sendRequest(ReferencesRequest.type, { textDocument, position, context: { includeDeclaration: true } }),
  ]);
  return Promise.all([
    ...atPlaces,
    connection.sendRequest(CodeActionRequest.type, { textDocument, range, context: { diagnostics: [] } }),
    connection.sendRequest(DocumentLinkRequest.type, { textDocument }),
    connection.sendRequest(DocumentSymbolRequest.type, { textDocument }),
    connection.sendRequest(FoldingRangeRequest.type, { textDocument }),
    connection.sendRequest(InlayHintRequest.type, { textDocument, range }),
    connection.sendRequest(SemanticTokensRequest.type, { textDocument }),
  ]);
}
