import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { exampleCall } from '../../../../extension/policy/rules/example-call.ts';
import { AgentService } from '../../../../extension/runtime/agent-service.ts';
import type { CallToTry } from '../../../../extension/runtime/knowledge/tried-call.ts';
import { createTempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';
import { type TestHostOptions, testHost } from '../../../support/test-host.ts';

const RULES = `[[rule]]
toolName = "run_shell_command"
commandPrefix = "npm test"
decision = "allow"
priority = 100

[[rule]]
toolName = "run_shell_command"
commandPrefix = "git push"
decision = "deny"
priority = 200
`;

const QUESTION = { questions: [{ question: 'Which?', header: 'Which', type: 'yesno' }] };

describe('A call that is tried', () => {
  let folder: TempWorkspace;
  let home: TempWorkspace;
  let service: AgentService | undefined;

  beforeEach(async () => {
    folder = await createTempWorkspace();
    home = await createTempWorkspace();
    await home.write({ '.gemini/policies/mine.toml': RULES });
  });
  afterEach(async () => {
    await service?.dispose();
    await folder.dispose();
    await home.dispose();
  });

  const trying = (call: Partial<CallToTry>, options: TestHostOptions = {}) => {
    const environment = { GEMINI_CLI_HOME: home.path };
    const sessions = join(home.path, 'sessions');
    service = new AgentService(testHost({ roots: [folder.path], sessions, environment, ...options }));
    return service.tryCall({ name: 'run_shell_command', args: {}, mode: 'default', interactive: true, ...call });
  };
  const tried = (text: string): CallToTry => ({
    name: 'run_shell_command',
    args: { command: text },
    mode: 'default',
    interactive: true,
  });
  const usual = { mode: 'default', interactive: true } as const;
  const command = (text: string): Pick<CallToTry, 'args'> => ({ args: { command: text } });

  const cases: readonly (readonly [
    what: string,
    decision: string,
    why: RegExp,
    Partial<CallToTry>,
    TestHostOptions?,
  ])[] = [
    ['runs if a rule allows it', 'allow', /mine\.toml:1/, command('npm test')],
    ['asks if no rule is about it', 'ask_user', /Commands require approval/, command('make')],
    [
      'is refused if nobody can be asked',
      'deny',
      /nobody|non-interactive|shipped/i,
      { ...command('make'), interactive: false },
    ],
    ['is refused for a part of its line', 'deny', /`git push` is refused/, command('npm test && git push')],
    ['is refused in plan mode', 'deny', /plan mode/, { ...command('npm test'), mode: 'plan' }],
    ['is refused in a folder that is not trusted', 'deny', /not trusted/, command('npm test'), { trusted: false }],
    [
      'is refused for a protected file where nobody can be asked',
      'deny',
      /Nobody can be asked.*protected/,
      { name: 'write_file', args: { file_path: '.git/config', content: '' }, mode: 'yolo', interactive: false },
    ],
    ['asks if its tool always asks, whatever the rules say', 'ask_user', /^$/, { name: 'ask_user', args: QUESTION, mode: 'yolo' }],
    ['is refused as if the folder were not trusted', 'deny', /not trusted/, { ...command('npm test'), asUntrusted: true }],
    [
      'asks for a protected file in every mode',
      'ask_user',
      /protected/,
      { name: 'write_file', args: { file_path: '.git/config', content: '' }, mode: 'yolo' },
    ],
  ];
  for (const [what, decision, why, call, options] of cases) {
    it(what, async () => {
      const tried = await trying(call, options);
      assert.equal(tried?.ruling.decision, decision);
      assert.match(tried?.ruling.why ?? '', why);
    });
  }

  it('is decided about by rules that are not saved yet, instead of those of the same file', async () => {
    const path = join(home.path, '.gemini/policies/mine.toml');
    const text = RULES.replace('npm test', 'make');
    const unsaved = { path, tier: 'user', text } as const;
    assert.equal((await trying({ ...command('make'), unsaved }))?.ruling.decision, 'allow');
    assert.equal((await service?.tryCall({ ...tried('npm test'), unsaved }))?.ruling.decision, 'ask_user');
    assert.equal((await service?.tryCall(tried('make')))?.ruling.decision, 'ask_user', 'nothing was saved');
  });

  it('is not allowed by rules of the folder that require approval, saved or not', async () => {
    const path = join(folder.path, '.gemini/policies/team.toml');
    const text = RULES.replace('npm test', 'make');
    const unsaved = { path, tier: 'workspace', text } as const;
    assert.equal((await trying({ ...command('make'), unsaved }))?.ruling.decision, 'ask_user');
    assert.equal((await service?.tryCall({ ...tried('git push'), unsaved }))?.ruling.decision, 'deny');
  });

  it('is refused if settings turn its tool off', async () => {
    await home.write({ '.gemini/settings.json': '{"tools": {"exclude": ["run_shell_command"]}}' });
    const tried = await trying(command('npm test'));
    assert.equal(tried?.ruling.decision, 'deny');
  });

  it('is decided by other files as if the folder were not trusted', async () => {
    const deny = '[[rule]]\ntoolName = "read_file"\ndecision = "deny"\npriority = 1\n';
    await folder.write({ '.gemini/policies/theirs.toml': deny });
    const read = { name: 'read_file', args: { file_path: 'a.txt' } };
    const [trusted, untrusted] = [await trying(read), await service?.tryCall({ ...read, ...usual, asUntrusted: true })];
    assert.deepEqual([trusted?.ruling.decision, untrusted?.ruling.decision], ['deny', 'allow']);
    assert.deepEqual([trusted?.isTrusted, untrusted?.isTrusted], [true, false]);
    // What counts in the window is what it was.
    assert.equal((await service?.tryCall({ ...read, ...usual }))?.ruling.decision, 'deny');
  });

  it('names the mode that applies, and the setting that forbids the chosen one', async () => {
    await home.write({ '.gemini/settings.json': '{"security": {"disableYoloMode": true}}' });
    const tried = await trying({ ...command('make'), mode: 'yolo' });
    assert.deepEqual([tried?.mode, tried?.forbiddenBy?.key], ['default', 'security.disableYoloMode']);
    assert.equal(tried?.ruling.decision, 'ask_user');
  });

  it('can begin with a rule, saved or not', async () => {
    await trying(command('npm test'));
    const file = join(home.path, '.gemini/policies/mine.toml');
    const at = async (line: number, text?: string): Promise<unknown> => {
      const [rule] = (await service?.policies.rulesAt(file, line, text)) ?? [];
      return rule && exampleCall(rule);
    };
    const shell = (text: string): unknown => ({ name: 'run_shell_command', args: { command: text } });
    assert.deepEqual([await at(7), await at(8)], [shell('git push'), undefined]);
    const rule = (fields: string): string => `#\n\n[[rule]]\n${fields}\ndecision = "ask_user"\npriority = 1\n`;
    assert.deepEqual(await at(3, rule('toolName = "*"')), shell(''));
    assert.deepEqual(await at(3, rule('toolName = "search"\nmcpName = "docs"')), { name: 'mcp_docs_search', args: {} });
    const path = `toolName = "write_file"\nargsPattern = '\\x00"file_path":"src/a\\.ts"\\x00'`;
    assert.deepEqual(await at(3, rule(path)), { name: 'write_file', args: { file_path: 'src/a.ts' } });
  });

  it('starts no process in a folder that is not trusted', async () => {
    const sandbox = { mode: 'auto', autoAllow: false, folders: [], network: [] } as const;
    await trying(command('npm test'), { trusted: false, sandbox });
    assert.equal(service?.sandbox.known, undefined);
    await service?.dispose();
    await trying(command('npm test'), { sandbox });
    assert.ok(service?.sandbox.known, 'it is looked for in a trusted folder');
  });

  it('has the rules that took part, and those of its commands', async () => {
    const tried = await trying(command('npm test && git push'));
    const places = tried?.explanation?.rules.map(({ rule: { source }, decides }) => `${source.label} ${decides}`);
    assert.ok(places?.[0]?.includes('mine.toml'), String(places));
    assert.deepEqual(
      tried?.explanation?.parts.map(({ command: part }) => part),
      ['npm test', 'git push'],
    );
  });

  it('leaves no session behind', async () => {
    await trying(command('npm test'));
    assert.deepEqual(await service?.library?.list(), []);
  });

  it('has no decision if there is no such tool', async () => {
    assert.equal(await trying({ name: 'nothing_like_it' }), undefined);
  });

  it('is decided about by all rules, which are in the order in which they are asked', async () => {
    await trying(command('npm test'));
    const rules = (await service?.rules()) ?? [];
    const priorities = rules.map(({ priority }) => priority);
    assert.deepEqual(
      priorities,
      [...priorities].sort((a, b) => b - a),
    );
    assert.deepEqual(
      rules.slice(0, 2).map(({ decision, source: { line } }) => [decision, line]),
      [
        ['deny', 7],
        ['allow', 1],
      ],
    );
  });
});
