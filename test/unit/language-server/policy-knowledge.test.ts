import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { CodeLensRequest, CompletionRequest } from 'vscode-languageserver-protocol/node';
import { readRules } from '../../../extension/policy/rules/read-rules.ts';
import { ruleHash } from '../../../extension/policy/rules/rule-hash.ts';
import { describedTools } from '../../../extension/tools/described-tools.ts';
import { LspClient, type LspClientOptions } from '../../support/language-server/lsp-client.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';

const HOUR = 3600_000;
const RULES = `# Mine.
[[rule]]
toolName = "run_shell_command"
commandPrefix = ["npm test", "npm run lint"]
decision = "allow"
priority = 100

[[rule]]
toolName = "web_fetch"
decision = "deny"
priority = 100
`;

describe('About policy files, the language server knows', () => {
  let place: TempFolder;
  let client: LspClient | undefined;

  beforeEach(async () => {
    place = await tempFolder('lsp');
  });
  afterEach(async () => {
    await client?.stop();
    client = undefined;
    await place.dispose();
  });

  const policy = (): string => join(place.path, 'home/.gemini/policies/mine.toml');
  const start = async (options: Partial<LspClientOptions> = {}): Promise<LspClient> => {
    client = await LspClient.start({ root: place.path, ...options });
    return client;
  };
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(place.path, path)), { recursive: true });
    await writeFile(join(place.path, path), text);
  };
  const decided = (hoursAgo: number, entry: object): string => {
    const at = new Date(Date.now() - hoursAgo * HOUR).toISOString();
    const call = { session: 's', callId: 'c', tool: 'run_shell_command', args: { command: 'npm test' } };
    return `${JSON.stringify({ at, ...call, what: 'decided', decision: 'allow', why: 'w', ...entry })}\n`;
  };
  const lensesOf = async (lsp: LspClient, uri: string): Promise<string[]> => {
    const found = await lsp.connection.sendRequest(CodeLensRequest.type, { textDocument: { uri } });
    return (found ?? []).map(({ range, command }) => `${range.start.line + 1} ${command?.title}`);
  };
  const proposed = async (lsp: LspClient, before: string): Promise<Map<string, string | undefined>> => {
    const uri = await lsp.open(policy(), before);
    const lines = before.split('\n');
    const position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
    const found = await lsp.connection.sendRequest(CompletionRequest.type, { textDocument: { uri }, position });
    const items = Array.isArray(found) ? found : (found?.items ?? []);
    return new Map(items.map(({ label, detail }) => [label, detail]));
  };

  it('how often each rule decided, as soon as it has read the audit log', async () => {
    await write('home/.gemini/policies/mine.toml', RULES);
    const [test, lint] = readRules(RULES, policy(), 'user').rules;
    assert.ok(test && lint);
    const entries = [
      decided(29 * 24, { rule: `${policy()}:40`, ruleHash: ruleHash(lint) }),
      decided(26, { rule: `${policy()}:40`, ruleHash: ruleHash(test) }),
      // Of an older version, which named only the line of what was in the file then.
      decided(25, { rule: `${policy()}:8`, decision: 'deny' }),
    ];
    await write('gantry/audit.jsonl', entries.join(''));
    const lsp = await start();
    const news = lsp.newLenses;
    const uri = await lsp.open(policy(), RULES);
    assert.deepEqual(await lensesOf(lsp, uri), []);
    await news;
    assert.deepEqual(await lensesOf(lsp, uri), [
      '2 matched 2 times in 30 days, last yesterday',
      '8 no matches in 30 days',
    ]);
    await lsp.change(uri, RULES.replace('# Mine.\n', '').replace('"npm test", ', ''));
    assert.deepEqual((await lensesOf(lsp, uri))[0], '1 matched once in 30 days, 4 weeks ago');
  });

  const damaged: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
    'that is damaged': (path) => writeFile(path, `{"at": 5}\n\0\0\n[[[\n${'{"at":"'.repeat(1000)}`),
    'that is a folder': (path) => mkdir(path),
    ...(process.platform !== 'win32' && { 'that is a pipe': async (path) => execFileSync('mkfifo', [path]) }),
  };
  for (const [what, make] of Object.entries(damaged)) {
    it(`no counts from an audit log ${what}, and waits for nothing`, async () => {
      await mkdir(join(place.path, 'gantry'));
      await make(join(place.path, 'gantry/audit.jsonl'));
      const lsp = await start({ options: { commands: ['gantry.tryRule'] } });
      const uri = await lsp.open(policy(), RULES);
      await lsp.problems(uri);
      await lensesOf(lsp, uri);
      assert.deepEqual((await lensesOf(lsp, uri))[0]?.match(/\d+ times/), null);
      assert.equal(lsp.errors, '');
    });
  }

  it('nothing about the past in Restricted Mode, where it reads no file', async () => {
    await write('home/.gemini/policies/mine.toml', RULES);
    await write('gantry/audit.jsonl', decided(1, { rule: `${policy()}:2` }));
    await write('home/.gemini/settings.json', '{ "mcpServers": { "docs": { "command": "docs" } } }');
    const lsp = await start({ trusted: false, options: { commands: ['gantry.tryRule'] } });
    const uri = await lsp.open(policy(), RULES);
    assert.deepEqual(await lensesOf(lsp, uri), ['2 Try a command…', '8 Try a command…']);
    assert.deepEqual([...(await proposed(lsp, '[[rule]]\nmcpName = ')).keys()], ['*']);
  });

  it('all tools: those of Gantry, of configured servers, and of servers that were called', async () => {
    await write('home/.gemini/settings.json', '{ "mcpServers": { "my docs": { "command": "docs" } } }');
    await write('gantry/audit.jsonl', decided(1, { tool: 'mcp_other_look' }));
    const lsp = await start();
    const uri = await lsp.open(policy(), RULES);
    const news = lsp.newLenses;
    await lensesOf(lsp, uri);
    await news;
    const tools = await proposed(lsp, '[[rule]]\ntoolName = "');
    for (const { name, displayName } of describedTools()) assert.equal(tools.get(name), displayName);
    assert.equal(tools.get('mcp_my_docs_*'), 'every tool of the MCP server my docs');
    assert.equal(tools.get('mcp_other_look'), 'called lately');
    assert.equal(tools.get('generalist'), 'an agent of Gantry');
  });

  it('the commands that were asked about lately', async () => {
    const asked = { decision: 'ask_user', args: { command: 'npm run lint -- --fix' } };
    await write('gantry/audit.jsonl', decided(50, asked) + decided(3, asked));
    const lsp = await start();
    const news = lsp.newLenses;
    await lensesOf(lsp, await lsp.open(policy(), RULES));
    await news;
    assert.deepEqual(
      [...(await proposed(lsp, '[[rule]]\ncommandPrefix = ["np'))],
      [['npm run lint', 'asked 2 times, last 3 hours ago']],
    );
  });
});
