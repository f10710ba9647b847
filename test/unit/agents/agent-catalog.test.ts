import assert from 'node:assert/strict';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { AgentCatalog } from '../../../extension/agents/agent-catalog.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';

describe('The agents there are', () => {
  let folder: TempFolder;
  let trusted: boolean;
  const home = () => join(folder.path, 'home');
  const project = () => join(folder.path, 'project');
  const open = (roots = [project()]) =>
    new AgentCatalog({
      workspace: { roots: () => roots, isTrusted: () => trusted },
      home: home(),
      acceptedFile: join(folder.path, 'accepted-agents.json'),
    });
  const write = async (where: string, name: string, text = definition(name)): Promise<string> => {
    const file = join(where, '.gemini', 'agents', `${name}.md`);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, text);
    return file;
  };
  const names = (catalog: AgentCatalog) => catalog.agents().map(({ name }) => name);
  const BUILT_IN = ['codebase_investigator', 'generalist'];

  beforeEach(async () => {
    folder = await tempFolder('agents');
    trusted = true;
  });
  afterEach(() => folder.dispose());

  it('are those that ship as long as nobody defines any', async () => {
    const catalog = open();
    await catalog.refresh();
    assert.deepEqual([names(catalog), catalog.problems], [BUILT_IN, []]);
  });

  it('include the user’s, at once and in every folder', async () => {
    await write(home(), 'mine');
    await write(home(), '_draft');
    await writeFile(join(home(), '.gemini', 'agents', 'notes.txt'), 'none');
    trusted = false;
    const catalog = open();
    await catalog.refresh();
    assert.deepEqual(names(catalog), [...BUILT_IN, 'mine']);
  });

  it('include those of the folder after approval of each as it is', async () => {
    const file = await write(project(), 'ours');
    const catalog = open();
    await catalog.refresh();
    assert.deepEqual(names(catalog), BUILT_IN);
    assert.deepEqual(
      catalog.waiting.map(({ path, names: waiting }) => [path, waiting]),
      [[file, ['ours']]],
    );
    const [waiting] = catalog.waiting;
    assert.ok(waiting);
    await catalog.accept(waiting);
    assert.deepEqual([names(catalog), catalog.waiting], [[...BUILT_IN, 'ours'], []]);

    const later = open();
    await later.refresh();
    assert.deepEqual(names(later), [...BUILT_IN, 'ours']);
    await write(project(), 'ours', `${definition('ours')}And something else.`);
    await later.refresh();
    assert.deepEqual(names(later), BUILT_IN);
    assert.equal(later.listed().find(({ definition: { name } }) => name === 'ours')?.unusable?.reason, 'waiting');
  });

  it('are accepted as the user saw them, not as they are by then', async () => {
    await write(project(), 'ours');
    const catalog = open();
    await catalog.refresh();
    const [seen] = catalog.waiting;
    assert.ok(seen);
    await write(project(), 'ours', `${definition('ours')}Something else.`);
    await catalog.accept(seen);
    assert.deepEqual(names(catalog), BUILT_IN);
  });

  it('do not include those of a folder that is not trusted, or not any more', async () => {
    await write(project(), 'ours');
    const catalog = open();
    await catalog.refresh();
    for (const waiting of catalog.waiting) await catalog.accept(waiting);
    assert.deepEqual(names(catalog), [...BUILT_IN, 'ours']);
    trusted = false;
    assert.deepEqual(names(catalog), BUILT_IN);
    assert.equal(catalog.agents(), catalog.agents(), 'made once, because each step asks for them');
    await catalog.refresh();
    assert.deepEqual([names(catalog), catalog.waiting, catalog.problems], [BUILT_IN, [], []]);
  });

  it('have one name each: what ships, then the folder, then the user', async () => {
    const ours = await write(project(), 'both');
    await write(project(), 'generalist');
    const mine = await write(home(), 'both');
    const catalog = open();
    await catalog.refresh();
    assert.deepEqual(
      catalog.localAgents().find(({ name }) => name === 'both')?.prompt,
      { text: 'You are both.' },
      'one that waits takes no name away',
    );
    for (const waiting of catalog.waiting) await catalog.accept(waiting);
    assert.deepEqual(names(catalog), [...BUILT_IN, 'both']);
    const reasons = catalog
      .listed()
      .map(({ definition: { name }, source, unusable }) => [name, source, unusable?.reason]);
    assert.deepEqual(reasons.slice(2), [
      ['both', 'project', undefined],
      ['generalist', 'project', 'shadowed'],
      ['both', 'user', 'shadowed'],
    ]);
    assert.deepEqual(
      catalog.problems.map(({ file, text }) => [file, text]),
      [
        [
          join(project(), '.gemini', 'agents', 'generalist.md'),
          '"generalist" is the name of an agent that comes with Gantry.',
        ],
        [mine, `"both" is already defined in ${ours}. That definition is used.`],
      ],
    );
  });

  it('ask about remote ones, which are not there in Restricted Mode', async () => {
    await write(home(), 'far', '---\nkind: remote\nname: far\nagent_card_url: https://x.test\n---\n');
    const catalog = open();
    await catalog.refresh();
    assert.deepEqual(names(catalog), [...BUILT_IN, 'far']);
    const [rule, ...others] = catalog.rules;
    assert.deepEqual([rule?.toolName, rule?.decision, others], ['far', 'ask_user', []]);
    trusted = false;
    assert.deepEqual([names(catalog), catalog.rules], [BUILT_IN, []]);
    assert.equal(catalog.listed().at(-1)?.unusable?.text, 'Remote agents are not available in Restricted Mode.');
  });

  it('continue without a file that is wrong, too large or no file', async () => {
    await write(home(), 'a', 'nothing');
    await write(home(), 'b', definition('b') + 'x'.repeat(300_000));
    await mkdir(join(home(), '.gemini', 'agents', 'c.md'));
    await write(home(), 'd');
    const catalog = open();
    await catalog.refresh();
    assert.deepEqual(names(catalog), [...BUILT_IN, 'd']);
    assert.deepEqual(
      catalog.problems.map(({ file }) => file.slice(-4)).sort(),
      ['a.md', 'b.md', 'c.md'].map((name) => name.slice(-4)),
    );
  });

  it('of a folder are none that lie elsewhere, whatever links lead there', async () => {
    const elsewhere = await write(join(folder.path, 'elsewhere'), 'secret');
    await write(project(), 'ours');
    await symlink(elsewhere, join(project(), '.gemini', 'agents', 'linked.md'));
    await symlink('ours.md', join(project(), '.gemini', 'agents', 'within.md'));
    const other = join(folder.path, 'other');
    await mkdir(join(other, '.gemini'), { recursive: true });
    await symlink(join(elsewhere, '..'), join(other, '.gemini', 'agents'));
    const third = join(folder.path, 'third');
    await mkdir(third);
    await symlink(join(folder.path, 'elsewhere', '.gemini'), join(third, '.gemini'));
    const catalog = open([project(), other, third]);
    await catalog.refresh();
    assert.deepEqual(
      catalog.waiting.map(({ path, names: waiting }) => [path.slice(project().length), waiting]),
      [
        ['/.gemini/agents/ours.md', ['ours']],
        ['/.gemini/agents/within.md', ['ours']],
      ],
    );
    const out = 'Agents could not be read from here: it leads to a file outside its folder.';
    assert.deepEqual(
      catalog.problems.map(({ file, text }) => [file.slice(folder.path.length), text]),
      [
        ['/project/.gemini/agents/linked.md', out],
        ['/other/.gemini/agents', out],
        ['/third/.gemini/agents', out],
      ],
    );
    assert.doesNotMatch(JSON.stringify(catalog.listed()), /secret/);
  });

  it('of the user may lie wherever their own links lead', async () => {
    const elsewhere = await write(join(folder.path, 'dotfiles'), 'mine');
    await mkdir(join(home(), '.gemini'), { recursive: true });
    await symlink(join(elsewhere, '..'), join(home(), '.gemini', 'agents'));
    const catalog = open();
    await catalog.refresh();
    assert.deepEqual([names(catalog), catalog.problems], [[...BUILT_IN, 'mine'], []]);
  });

  it('tell when they are others, and only then', async () => {
    const catalog = open();
    await catalog.refresh();
    let changes = 0;
    const stop = catalog.onDidChange(() => changes++);
    await catalog.refresh();
    assert.equal(changes, 0);
    const file = await write(home(), 'mine');
    await catalog.refresh();
    assert.equal(changes, 1);
    await rm(file);
    await catalog.refresh();
    stop();
    await write(home(), 'mine');
    await catalog.refresh();
    assert.equal(changes, 2);
  });

  it('of the home folder are the user’s when it is opened', async () => {
    await write(home(), 'mine');
    const catalog = open([home()]);
    await catalog.refresh();
    assert.deepEqual([names(catalog), catalog.waiting], [[...BUILT_IN, 'mine'], []]);
  });
});

function definition(name: string): string {
  return `---\nname: ${name}\ndescription: Helps\n---\nYou are ${name}.\n`;
}
