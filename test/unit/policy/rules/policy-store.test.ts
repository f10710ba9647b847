import assert from 'node:assert/strict';
import { mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Circumstances, Decision, RuleDraft } from '../../../../extension/policy/policy-types.ts';
import { PolicyStore } from '../../../../extension/policy/rules/policy-store.ts';
import { eventually } from '../../../support/poll.ts';
import { createTempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';

const rule = (toolName: string, decision: string, priority = 10): string =>
  `[[rule]]\ntoolName = "${toolName}"\ndecision = "${decision}"\npriority = ${priority}\n`;

describe('the policy store', () => {
  let place: TempWorkspace;
  let trusted: boolean;
  let stores: PolicyStore[];

  beforeEach(async () => {
    trusted = true;
    stores = [];
    place = await createTempWorkspace({ 'work/': '', 'home/': '' });
  });
  afterEach(async () => {
    for (const store of stores) store.dispose();
    await place.dispose();
  });

  const at = (name: string): string => join(place.path, name);
  const WORK = 'work/.gemini/policies';
  const open = (): PolicyStore => {
    const store = new PolicyStore({
      assets: resolve('out/assets'),
      home: at('home'),
      acceptedFile: at('data/accepted.json'),
      roots: () => [at('work')],
      isTrusted: () => trusted,
      extraPaths: () => [],
      admin: at('no-admin'),
    });
    stores.push(store);
    return store;
  };
  const decide = async (store: PolicyStore, name: string, more: Partial<Circumstances> = {}): Promise<Decision> => {
    const circumstances = {
      mode: 'default',
      interactive: true,
      trusted,
      roots: [],
      sessionRules: [],
      ...more,
    } as const;
    return (await (await store.engine()).decide({ name, args: {} }, circumstances)).decision;
  };
  const states = async (store: PolicyStore): Promise<string[]> => {
    const files = (await store.files()).filter(({ tier }) => tier !== 'default');
    return files.map(({ path, tier, state }) => `${tier} ${path.slice(place.path.length + 1)} ${state}`);
  };
  const reasons = (store: PolicyStore): string[] => store.problems.map(({ reason }) => reason);

  it('has the shipped rules from the start, and nothing to complain about', async () => {
    const store = open();
    assert.equal(await decide(store, 'read_file'), 'allow');
    assert.equal(await decide(store, 'write_file'), 'ask_user');
    assert.deepEqual(store.problems, []);
    const shipped = (await store.files()).filter(({ tier }) => tier === 'default');
    assert.equal(shipped.length, 7);
    assert.ok(shipped.every(({ state }) => state === 'in_force'));
  });

  it('reports and ignores a checker of a workspace that nobody knows, and gives that file nothing', async () => {
    const checker = '[[safety_checker]]\ntoolName = "*"\n[safety_checker.checker]\ntype = "external"\nname = "nope"\n';
    await place.write({ [`${WORK}/w.toml`]: rule('a_tool', 'allow') + rule('glob', 'deny') + checker });
    const store = open();
    await store.accept(at(`${WORK}/w.toml`));
    const decisions = await Promise.all(['read_file', 'a_tool', 'glob'].map((name) => decide(store, name)));
    assert.deepEqual(decisions, ['allow', 'ask_user', 'deny']);
    assert.match(
      reasons(store).join(),
      /"nope" is not supported\. The checker is ignored, and the rules .* not in force/,
    );
    await place.write({ 'home/.gemini/policies/u.toml': checker.replace('"*"', '"read_file"') });
    await store.reload();
    assert.equal(await decide(store, 'read_file'), 'deny', 'the user is taken at their word');
  });

  it('takes what a workspace forbids at once, and what it allows after approval of that text', async () => {
    await place.write({ [`${WORK}/w.toml`]: rule('a_tool', 'allow') + rule('read_file', 'deny') });
    const store = open();
    assert.equal(await decide(store, 'read_file'), 'deny');
    assert.equal(await decide(store, 'a_tool'), 'ask_user');
    assert.deepEqual(await states(store), [`workspace ${WORK}/w.toml waiting`]);
    assert.deepEqual(reasons(store), ['1 rule allows calls. It counts only after you approve the file.']);

    assert.equal(await store.accept(at(`${WORK}/w.toml`)), true);
    assert.equal(await decide(store, 'a_tool'), 'allow');
    assert.deepEqual(await states(store), [`workspace ${WORK}/w.toml in_force`]);
    assert.equal(await decide(open(), 'a_tool'), 'allow');

    const both = rule('a_tool', 'allow').replace('"a_tool"', '["a_tool", "c_tool"]');
    await place.write({ [`${WORK}/w.toml`]: both });
    await store.reload();
    assert.deepEqual(reasons(store), ['1 rule allows calls. It counts only after you approve the file.']);

    await place.write({ [`${WORK}/w.toml`]: rule('a_tool', 'allow') + rule('b_tool', 'allow') });
    await store.reload();
    assert.equal(await decide(store, 'a_tool'), 'ask_user');
    assert.equal(await store.accept('/etc/passwd'), false);
  });

  it('accepts the text the user saw, not what has come in its place', async () => {
    await place.write({ [`${WORK}/w.toml`]: rule('a_tool', 'allow') });
    const store = open();
    await store.files();
    await place.write({ [`${WORK}/w.toml`]: rule('*', 'allow') });
    await store.accept(at(`${WORK}/w.toml`));
    assert.equal(await decide(store, 'b_tool'), 'ask_user');
    assert.equal(await decide(store, 'a_tool'), 'ask_user');
  });

  it('does not let a workspace turn a refusal into a question without approval', async () => {
    await place.write({ [`${WORK}/w.toml`]: rule('run_shell_command', 'ask_user') });
    const store = open();
    assert.equal(await decide(store, 'run_shell_command', { mode: 'plan' }), 'deny');
    assert.equal(await decide(store, 'run_shell_command', { mode: 'yolo' }), 'ask_user');
    await store.accept(at(`${WORK}/w.toml`));
    assert.equal(await decide(store, 'run_shell_command', { mode: 'plan' }), 'ask_user');
  });

  it('looks at a workspace only while it is trusted', async () => {
    await place.write({ [`${WORK}/w.toml`]: rule('read_file', 'deny') });
    trusted = false;
    const store = open();
    assert.deepEqual(await states(store), []);
    await store.watch();
    trusted = true;
    await store.reload();
    assert.equal(await decide(store, 'read_file'), 'deny');
    await place.write({ [`${WORK}/w.toml`]: rule('glob', 'deny') });
    await eventually('a change after trust was given', async () => (await decide(store, 'glob')) === 'deny');
  });

  it('lets no bad file take another with it', async () => {
    const HOME = 'home/.gemini/policies';
    await place.write({
      [`${HOME}/bad.toml`]: 'rule = = 5',
      [`${HOME}/binary.toml`]: new Uint8Array([0xff]),
      [`${HOME}/good.toml`]: rule('a_tool', 'allow'),
    });
    const store = open();
    assert.equal(await decide(store, 'a_tool'), 'allow');
    assert.equal(await decide(store, 'read_file'), 'allow');
    assert.deepEqual(await states(store), [`user ${HOME}/bad.toml damaged`, `user ${HOME}/good.toml in_force`]);
    assert.deepEqual(
      store.problems.map(({ kind, file, line }) => [kind, file.slice(place.path.length + 1), line]),
      [
        ['file_read', `${HOME}/binary.toml`, undefined],
        ['toml_parse', `${HOME}/bad.toml`, 1],
      ],
    );
  });

  describe('remembers an answer', () => {
    const draft: RuleDraft = { toolName: 'a_tool', modes: ['default', 'autoEdit', 'yolo'] };

    it('for the workspace, which counts from then on', async () => {
      const store = open();
      assert.equal(await decide(store, 'a_tool'), 'ask_user');
      const remembered = await store.remember(draft, 'workspace');
      assert.ok('rule' in remembered);
      assert.equal(remembered.file, at(`${WORK}/auto-saved.toml`));
      assert.equal(remembered.notice, undefined);
      assert.equal(await decide(store, 'a_tool'), 'allow');
      assert.equal(await decide(open(), 'a_tool'), 'allow');
      assert.equal(await decide(store, 'a_tool', { mode: 'plan' }), 'deny');
    });

    it('several at once', async () => {
      const store = open();
      const names = ['a_tool', 'b_tool', 'c_tool'];
      await Promise.all(names.map((toolName) => store.remember({ ...draft, toolName }, 'workspace')));
      assert.deepEqual(await Promise.all(names.map((name) => decide(store, name))), ['allow', 'allow', 'allow']);
    });

    it('for the user, above the rules of the workspace', async () => {
      await place.write({ [`${WORK}/w.toml`]: rule('a_tool', 'deny') });
      const store = open();
      const remembered = await store.remember(draft, 'user');
      assert.ok('file' in remembered);
      assert.equal(remembered.file, at('home/.gemini/policies/auto-saved.toml'));
      assert.equal(await decide(store, 'a_tool'), 'allow');
    });

    it('without saying yes to what else is in the file', async () => {
      await place.write({ [`${WORK}/auto-saved.toml`]: rule('*', 'allow', 999) });
      const store = open();
      const remembered = await store.remember(draft, 'workspace');
      assert.ok('rule' in remembered);
      assert.match(remembered.notice ?? '', /require approval/);
      assert.equal(await decide(store, 'b_tool'), 'ask_user');
      assert.equal(await decide(store, 'a_tool', { sessionRules: [remembered.rule] }), 'allow');
    });

    it('not where a repository leads it out of the workspace', async () => {
      await mkdir(at('elsewhere'));
      await symlink(at('elsewhere'), at('work/.gemini'));
      const outcome = await open().remember(draft, 'workspace');
      assert.ok('problem' in outcome);
      assert.match(outcome.problem, /leads out of the workspace/);
      await assert.rejects(readFile(at('elsewhere/policies/auto-saved.toml')));
    });

    it('not for a workspace that is not trusted, and not without limits', async () => {
      trusted = false;
      const store = open();
      assert.ok('problem' in (await store.remember(draft, 'workspace')));
      assert.ok('problem' in (await store.remember({ ...draft, toolName: 'run_shell_command' }, 'user')));
    });
  });

  it('follows its files: made, changed and deleted, also in folders that were not there', async () => {
    const store = open();
    let changes = 0;
    const stop = store.onDidChange(() => changes++);
    assert.equal(await decide(store, 'a_tool'), 'ask_user');
    await store.watch();

    await place.write({ [`${WORK}/w.toml`]: rule('a_tool', 'deny') });
    await eventually('the new file', async () => (await decide(store, 'a_tool')) === 'deny');
    await place.write({ [`${WORK}/w.toml`]: rule('b_tool', 'deny') });
    await eventually('the changed file', async () => (await decide(store, 'b_tool')) === 'deny');
    await rm(at('work/.gemini'), { recursive: true });
    await eventually('the deleted folder', async () => (await decide(store, 'b_tool')) === 'ask_user');
    await place.write({ 'home/.gemini/policies/u.toml': rule('a_tool', 'allow') });
    await eventually("the user's file", async () => (await decide(store, 'a_tool')) === 'allow');
    assert.ok(changes >= 4, `${changes} changes`);

    await place.write({ [`${WORK}/w.toml`]: rule('c_tool', 'allow') });
    const other = open();
    await other.files();
    await other.accept(at(`${WORK}/w.toml`));
    await eventually('a yes in another window', async () => (await decide(store, 'c_tool')) === 'allow');

    const before = changes;
    await store.reload();
    assert.equal(changes, before, 'nothing changed');
    stop();
  });
});
