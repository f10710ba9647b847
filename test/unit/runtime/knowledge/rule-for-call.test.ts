import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { RuleSubject } from '../../../../extension/policy/rules/saved-rules.ts';
import { AgentService } from '../../../../extension/runtime/agent-service.ts';
import { type RuleForCall, ruleForCall } from '../../../../extension/runtime/knowledge/rule-for-call.ts';
import { grantsFor } from '../../../../extension/runtime/policy/call-grants.ts';
import { productTools } from '../../../../extension/tools/product-tools.ts';
import { ruleSnippet } from '../../../../extension/vscode/authoring/rule-snippet.ts';
import { testTool } from '../../../support/conversation.ts';
import { fakeEditor } from '../../../support/fake-editor.ts';
import { shellParser } from '../../../support/shell-judging.ts';
import { snippetText } from '../../../support/snippet-text.ts';
import { createTempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';
import { testHost } from '../../../support/test-host.ts';
import { toolParts } from '../../../support/tool-parts.ts';

const SHELL = 'run_shell_command';

describe('A rule about a call that requires approval', () => {
  let folder: TempWorkspace;
  let service: AgentService;

  beforeEach(async () => {
    folder = await createTempWorkspace();
    const environment = { GEMINI_CLI_HOME: join(folder.path, 'home') };
    service = new AgentService(testHost({ roots: [folder.path], environment }));
  });
  afterEach(async () => {
    await service.dispose();
    await folder.dispose();
  });

  const about = async (name: string, args: Record<string, unknown>): Promise<RuleForCall> => {
    const ofServer = Object.assign(
      testTool('mcp_docs_search', 'other', async () => ({ content: '' })),
      { server: 'docs' },
    );
    const tools = [...productTools({ ...toolParts(), editor: fakeEditor() }), ofServer];
    const tool = tools.find((one) => one.name === name);
    assert.ok(tool, name);
    const call = { id: '1', name, args };
    const grants = await grantsFor(call, tool, ['default'], [folder.path], shellParser);
    return ruleForCall({ call, tool, grants }, 'default', shellParser);
  };
  const decisionWith = async ({ call, subject }: RuleForCall): Promise<string | undefined> => {
    const text = snippetText(ruleSnippet(['allow'], subject));
    const unsaved = { path: join(folder.path, 'home/.gemini/policies/new.toml'), tier: 'user' as const, text };
    return (await service.tryCall({ ...call, unsaved }))?.ruling.decision;
  };

  const cases: readonly (readonly [what: string, name: string, args: Record<string, unknown>, RuleSubject])[] = [
    ['a command', SHELL, { command: 'npm test' }, { toolName: SHELL, commandPrefix: 'npm test' }],
    [
      'the beginning of a command, where that says enough',
      SHELL,
      { command: 'pytest -q tests/unit' },
      { toolName: SHELL, commandPrefix: 'pytest' },
    ],
    [
      'several commands',
      SHELL,
      { command: 'npm test && npm run lint' },
      { toolName: SHELL, commandPrefix: ['npm test', 'npm run lint'] },
    ],
    [
      'edits of a file, whichever tool makes them',
      'write_file',
      { file_path: 'a.ts', content: 'x' },
      { toolName: ['write_file', 'replace'], argsPattern: '\\x00"file_path":"a\\.ts"\\x00' },
    ],
    ['a tool', 'web_fetch', { prompt: 'https://example.test' }, { toolName: 'web_fetch' }],
    ['a tool of a server', 'mcp_docs_search', { query: 'x' }, { toolName: 'search', mcpName: 'docs' }],
  ];
  for (const [what, name, args, subject] of cases) {
    it(`is about ${what}, and allows it`, async () => {
      const rule = await about(name, args);
      assert.deepEqual([rule.subject, rule.canAllow], [subject, true]);
      assert.deepEqual(rule.call, { name, args, mode: 'default', interactive: true });
      if (name.startsWith('mcp_')) return;
      assert.equal((await service.tryCall(rule.call))?.ruling.decision, 'ask_user');
      assert.equal(await decisionWith(rule), 'allow');
    });
  }

  it('is about exactly the line if its commands do not say what it does', async () => {
    const command = 'echo $(date) > a.txt';
    const { subject, canAllow } = await about(SHELL, { command });
    assert.equal(canAllow, false);
    assert.match(String(subject['argsPattern']), /date/);
  });
});
