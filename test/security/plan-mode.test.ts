import assert from 'node:assert/strict';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { idOf } from '../support/agent.ts';
import { fakeEditor } from '../support/fake-editor.ts';
import {
  ALLOW_EVERYTHING,
  type Attempt,
  contentsOf,
  type Obedient,
  type ObedientOptions,
  offered,
  useObedientModel,
} from '../support/obedient-model.ts';

describe('in plan mode nothing changes', () => {
  const suite = useObedientModel();

  /** A session in plan mode in which everything was allowed before, with its folder for plans. */
  const open = async (options: ObedientOptions = {}): Promise<Obedient & { readonly plans: string }> => {
    const world = await suite.obedient({
      files: { 'a.txt': 'a\n', 'plans/p.md': 'old\n', 'src/a.ts': 'thing\n' },
      home: ALLOW_EVERYTHING,
      ...options,
    });
    await world.tries({ name: 'list_directory', args: { dir_path: '.' } });
    await world.ended();
    await world.session.send({ update: { config: { approvalMode: 'plan' } } });
    const plans = join(suite.sessions, idOf(world.session), 'plans');
    return { ...world, plans };
  };

  const changes = (plans: string, root: string): Attempt[] => [
    ...[
      'a.txt',
      'new.md',
      'plans/p.md',
      './plans/p.md',
      'plans/../x.md',
      `${plans}/../x.md`,
      `${plans}/../../x.md`,
      `${plans}/link.md`,
      `${plans}/folder/x.md`,
      `${plans}/x.txt`,
      `${plans}x.md`,
      `${root}/x.md`,
      `${root}/plans/p.md`,
      `file://${root}/x.md`,
      `${plans}/x.md\0.txt`,
    ].flatMap((file_path) => [
      { name: 'write_file', args: { file_path, content: 'pwned' } },
      { name: 'replace', args: { file_path, instruction: 'x', old_string: 'old', new_string: 'pwned' } },
    ]),
    ...['touch pwned', 'ls', 'echo x > a.txt', `cp a.txt ${plans}/x.md`].map((command) => ({
      name: 'run_shell_command',
      args: { command },
    })),
    { name: 'rename_symbol', args: { file_path: 'src/a.ts', line: 1, symbol: 'thing', new_name: 'x' } },
    { name: 'rename_symbol', args: { file_path: `${plans}/plan.md`, line: 1, symbol: 'thing', new_name: 'x' } },
    { name: 'stop_background_process', args: { pid: process.pid } },
  ];

  it('in the workspace or around the folder for plans, whatever rules there are', async () => {
    const editor = fakeEditor({
      rename: () =>
        Promise.resolve({ files: [{ path: join(world.root, 'src/a.ts'), before: 'thing\n', after: 'x\n' }] }),
    });
    const world = await open({ editor });
    await symlink(join(world.root, 'a.txt'), join(world.plans, 'link.md'));
    await symlink(world.root, join(world.plans, 'folder'));
    const [plan] = await world.tries({
      name: 'write_file',
      args: { file_path: join(world.plans, 'plan.md'), content: 'thing\n' },
    });
    assert.equal(plan?.end, 'ran', 'the plan itself can be written');
    await world.ended();
    const before = [await contentsOf(world.root), await contentsOf(world.plans)];
    const fates = await world.tries(...changes(world.plans, world.root));
    await world.ended();
    // A name that exists nowhere yet means a plan.
    const made = fates.filter(({ end }) => end === 'ran').map(({ name, args }) => [name, args['file_path']]);
    assert.deepEqual(made, [
      ['write_file', 'new.md'],
      ['write_file', 'plans/../x.md'],
    ]);
    const plans = { ...before[1], 'new.md': 'pwned', 'x.md': 'pwned' };
    assert.deepEqual([await contentsOf(world.root), await contentsOf(world.plans)], [before[0], plans]);
  });

  it('also with what was allowed for the session before', async () => {
    const world = await open({ home: {} });
    await world.session.send({ update: { config: { approvalMode: 'default' } } });
    const write = { name: 'write_file', args: { file_path: 'a.txt', content: 'b\n' } };
    const [first] = await world.tries(write);
    if (first) await world.answer(first, { decision: 'session' });
    await world.ended();
    await world.session.send({ update: { config: { approvalMode: 'plan' } } });
    assert.equal(
      (await world.tries({ ...write, args: { ...write.args, content: 'c\n' } }))[0]?.end,
      'policy_violation',
    );
    assert.equal(await readFile(join(world.root, 'a.txt'), 'utf8'), 'b\n');
  });

  it('also for a call that waited for its yes when plan mode came', async () => {
    const world = await open({ home: {} });
    await world.session.send({ update: { config: { approvalMode: 'default' } } });
    const [waiting] = await world.tries({ name: 'write_file', args: { file_path: 'a.txt', content: 'b\n' } });
    await world.session.send({ update: { config: { approvalMode: 'plan' } } });
    if (waiting) await world.answer(waiting, { decision: 'once' });
    await world.ended();
    assert.equal(await readFile(join(world.root, 'a.txt'), 'utf8'), 'a\n');
  });

  it('but the plan, also with the rules that ship and in a session that begins with it', async () => {
    const world = await suite.obedient({ approvalMode: 'plan' });
    const fates = await world.tries({ name: 'write_file', args: { file_path: 'plan.md', content: '# Plan\n' } });
    assert.equal(fates[0]?.end, 'ran');
    await world.ended();
    const [leave] = await world.tries({ name: 'exit_plan_mode', args: { plan_filename: 'plan.md' } });
    assert.deepEqual(leave?.question?._meta?.approval?.details.type, 'plan');
    assert.deepEqual(await contentsOf(world.root), {});
  });

  it('until the user says yes to the plan, which no rule can do for them', async () => {
    const world = await open();
    const { plans, session, service } = world;
    await world.tries({ name: 'write_file', args: { file_path: join(plans, 'p.md'), content: '# Plan\n' } });
    await world.ended();
    for (const plan_filename of ['../p.md', join(world.root, 'plans/p.md'), 'none.md', 'p.md\0']) {
      const [refused] = await world.tries({ name: 'exit_plan_mode', args: { plan_filename } });
      assert.equal(refused?.end, 'execution_failed', plan_filename);
      await world.ended();
    }
    const [fate] = await world.tries({ name: 'exit_plan_mode', args: { plan_filename: 'p.md' } });
    assert.equal(fate?.end, 'asked');
    assert.deepEqual(fate && offered(fate), ['once']);
    assert.equal(service.session(idOf(session)).approvalMode, 'plan');
    if (fate) await world.answer(fate, undefined);
    await world.ended();
    assert.equal(service.session(idOf(session)).approvalMode, 'plan');
    const [again] = await world.tries({ name: 'exit_plan_mode', args: { plan_filename: 'p.md' } });
    if (again) await world.answer(again, { decision: 'once', approvalMode: 'yolo' });
    await world.ended();
    assert.equal(service.session(idOf(session)).approvalMode, 'default', 'a mode that was not on offer is not taken');
  });
});
