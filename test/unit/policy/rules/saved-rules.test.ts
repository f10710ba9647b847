import assert from 'node:assert/strict';
import { readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { PolicyRule, RuleDraft } from '../../../../extension/policy/policy-types.ts';
import { coversExactly, exactCommandPattern, pathPattern } from '../../../../extension/policy/rules/exact-patterns.ts';
import { readRules } from '../../../../extension/policy/rules/read-rules.ts';
import { saveRule, sessionRule } from '../../../../extension/policy/rules/saved-rules.ts';
import { stableText } from '../../../../extension/text/stable-text.ts';
import { createTempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';

const MODES = ['default', 'autoEdit', 'yolo'] as const;

describe('answers kept as rules', () => {
  let folder: TempWorkspace;

  beforeEach(async () => {
    folder = await createTempWorkspace();
  });
  afterEach(() => folder.dispose());

  const file = (): string => join(folder.path, 'auto-saved.toml');
  const text = (): Promise<string> => readFile(file(), 'utf8');
  const rules = async (): Promise<readonly PolicyRule[]> => {
    const { rules: read, problems } = readRules(await text(), file(), 'workspace');
    assert.deepEqual(problems, []);
    return read;
  };
  const draft = (more: Partial<RuleDraft>): RuleDraft => ({ toolName: 'my_tool', modes: MODES, ...more });

  it('match again after they were saved and read, and nothing else', async () => {
    const path = 'src/a "b" [c]+\\d.ts';
    await saveRule(folder.path, draft({ toolName: 'write_file', argsPattern: pathPattern('file_path', path) }));
    const [rule] = await rules();
    assert.equal(rule?.priority, 3.95);
    const matches = (args: object): boolean | undefined => rule?.argsPattern?.test(stableText(args));
    assert.equal(matches({ file_path: path, content: 'x' }), true);
    assert.equal(matches({ file_path: `${path}x` }), false);
    assert.equal(matches({ file_path: 'x', content: { file_path: path } }), false);
    assert.equal(matches({ file_path: 'x', content: `\0"file_path":${JSON.stringify(path)}\0` }), false);
  });

  it('for an exact command cover that command, whatever is in it', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), fc.string({ maxLength: 60 }), (command, other) => {
        const outcome = sessionRule(
          draft({ toolName: 'run_shell_command', argsPattern: exactCommandPattern(command) }),
        );
        // A pattern that looks as if it could take for ever is refused; the user is asked again then.
        if ('problem' in outcome) return;
        assert.equal(outcome.rule.argsPattern?.test(stableText({ command })), true);
        assert.equal(outcome.rule.argsPattern?.test(stableText({ command: other })), other === command);
        assert.ok(coversExactly(outcome.rule, command));
        assert.equal(coversExactly(outcome.rule, other), other === command);
      }),
    );
  });

  it('tell the user what they are, and keep what was written by hand', async () => {
    await saveRule(folder.path, draft({ toolName: 'run_shell_command', commandPrefix: 'git log' }));
    assert.match(await text(), /^# Your answers\..*\n# Delete a block to be asked again\.\n\n\[\[rule\]\]\n/);
    await folder.write({
      'auto-saved.toml': `${await text()}\n# mine\n[[rule]]\ntoolName = "x_tool"\ndecision = "deny"\npriority = 1`,
    });
    await saveRule(folder.path, draft({ toolName: 'run_shell_command', commandPrefix: 'ls' }));
    assert.match(await text(), /# mine\n\[\[rule\]\]\ntoolName = "x_tool"/);
    assert.deepEqual(
      (await rules()).map(({ toolName, decision }) => `${toolName} ${decision}`),
      ['run_shell_command allow', 'x_tool deny', 'run_shell_command allow'],
    );
  });

  it('for the same calls become one, with the modes of both', async () => {
    await saveRule(folder.path, draft({ modes: ['yolo'], mcpName: 's', toolName: 'mcp_s_t' }));
    await saveRule(folder.path, draft({ toolName: 'other_tool' }));
    await saveRule(
      folder.path,
      draft({ modes: ['autoEdit', 'yolo'], mcpName: 's', toolName: 't', allowRedirection: true }),
    );
    await saveRule(folder.path, draft({ modes: ['yolo'], mcpName: 's', toolName: 't' }));
    const [first, second, ...more] = await rules();
    assert.deepEqual([first?.toolName, first?.modes, first?.allowRedirection], ['mcp_s_t', ['yolo', 'autoEdit'], true]);
    assert.deepEqual([second?.toolName, second?.modes, more], ['other_tool', [...MODES], []]);
  });

  for (const decision of ['deny', 'ask_user']) {
    it(`do not take the place of a block that says ${decision} of the same call`, async () => {
      const block = `[[rule]]\ntoolName = "my_tool"\ndecision = "${decision}"\npriority = 950\n`;
      await folder.write({ 'auto-saved.toml': block });
      // The second time there is one of ours to merge with.
      for (const modes of [['default'], ['yolo']] as const) await saveRule(folder.path, draft({ modes }));
      assert.ok((await text()).startsWith(block));
      const [kept, ours, ...more] = await rules();
      assert.deepEqual([kept?.decision, ours?.decision, more], [decision, 'allow', []]);
      assert.deepEqual([kept?.modes, ours?.modes], [undefined, ['default', 'yolo']]);
    });
  }

  it('put a file aside that cannot be read', async () => {
    await folder.write({ 'auto-saved.toml': '[[rule' });
    const { notice } = await saveRule(folder.path, draft({}));
    assert.match(notice ?? '', /started anew/);
    assert.equal(await readFile(`${file()}.bak`, 'utf8'), '[[rule');
    assert.equal((await rules()).length, 1);
    assert.deepEqual((await readdir(folder.path)).sort(), ['auto-saved.toml', 'auto-saved.toml.bak']);
  });

  it('are not written through a link', async () => {
    await folder.write({ 'victim.toml': '# mine' });
    await symlink('victim.toml', file());
    await assert.rejects(saveRule(folder.path, draft({})), /symbolic link/);
    assert.equal(await readFile(join(folder.path, 'victim.toml'), 'utf8'), '# mine');
  });

  const refused: readonly [what: string, Partial<RuleDraft>][] = [
    ['all files', { toolName: 'write_file' }],
    ['all commands', { toolName: 'run_shell_command', commandPrefix: ' ' }],
    ['a prefix of another tool', { commandPrefix: 'git' }],
    ['a pattern that may take for ever', { argsPattern: '(a+)\\1+' }],
    ['no tool', { toolName: '' }],
  ];
  for (const [what, more] of refused) {
    it(`are refused for ${what}`, () => assert.ok('problem' in sessionRule(draft(more))));
  }
});
