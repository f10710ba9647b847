import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { loadSkillsFromDir } from '@google/gemini-cli-core';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { DiskView } from '../../../extension/files/disk-view.ts';
import { SessionSkills } from '../../../extension/skills/session-skills.ts';
import { SkillLibrary } from '../../../extension/skills/skill-library.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';

function skillFile(name: string, description = 'Does it.', body = 'Do it.'): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`;
}

describe('Skills', () => {
  let home: TempWorkspace;
  let root: TempWorkspace;
  let trusted: boolean;
  const { debug } = console;
  // Gemini CLI says there what it makes of front matter.
  before(() => {
    console.debug = () => undefined;
  });
  after(() => {
    console.debug = debug;
  });
  beforeEach(async () => {
    [home, root, trusted] = [await createTempWorkspace(), await createTempWorkspace(), true];
  });
  afterEach(async () => {
    await home.dispose();
    await root.dispose();
  });

  const library = () =>
    new SkillLibrary({
      workspace: { roots: () => [root.path], isTrusted: () => trusted },
      geminiHome: home.path,
      acceptedFile: join(home.path, 'accepted-skills.json'),
    });
  const names = async (skills = library()) => (await skills.refresh()).map(({ name, source }) => `${source} ${name}`);

  it('are those of the user and the project, in both folders', async () => {
    await home.write({ '.gemini/skills/a/SKILL.md': skillFile('a'), '.agents/skills/b/SKILL.md': skillFile('b') });
    await root.write({ '.gemini/skills/c/SKILL.md': skillFile('c'), '.agents/skills/SKILL.md': skillFile('d') });
    assert.deepEqual(await names(), ['user a', 'user b', 'project c', 'project d']);
  });

  it('of the same name: the nearer one counts, and the other is told', async () => {
    await home.write({ '.gemini/skills/a/SKILL.md': skillFile('Deploy') });
    await root.write({ '.gemini/skills/x/SKILL.md': skillFile('deploy', 'First.') });
    await root.write({ '.agents/skills/y/SKILL.md': skillFile('DEPLOY', 'Second.') });
    const skills = library();
    assert.deepEqual(await names(skills), ['project DEPLOY']);
    assert.equal(skills.find('dePloy')?.description, 'Second.');
    assert.deepEqual(
      skills.untold().map(({ file }) => file),
      [join(home.path, '.gemini/skills/a/SKILL.md'), join(root.path, '.gemini/skills/x/SKILL.md')],
    );
    await skills.refresh();
    assert.deepEqual(skills.untold(), [], 'once');
  });

  const BROKEN: readonly [string, number, RegExp][] = [
    ['no front matter', 1, /must begin with a name/],
    ['---\nname: a\n---\nbody', 2, /no description/],
    ['---\n\ndescription: d\nname: ""\n---\nbody', 4, /no name/],
    ['---\nname: a\ndescription: ""\n---\n', 3, /no description/],
    ['---\n- a\n- b\n---\nbody', 1, /not valid YAML/],
    ['---\n[\n---\n', 2, /not valid YAML/],
    [`---\n${'a: &a [*a]'}\n---\n`, 2, /no name|not valid YAML/],
  ];
  for (const [text, line, why] of BROKEN) {
    it(`with ${JSON.stringify(text.slice(0, 40))} are reported by file and line, and the rest continues`, async () => {
      await root.write({ '.gemini/skills/bad/SKILL.md': text, '.gemini/skills/good/SKILL.md': skillFile('good') });
      const skills = library();
      assert.deepEqual(await names(skills), ['project good']);
      const [problem] = skills.problems;
      assert.deepEqual([problem?.file, problem?.line], [join(root.path, '.gemini/skills/bad/SKILL.md'), line]);
      assert.match(problem?.text ?? '', why);
    });
  }

  it('are read as Gemini CLI reads them', async () => {
    const texts = [
      skillFile('plain'),
      skillFile('colon', 'Use it: always, for: this'),
      skillFile('"quoted name"', "'quoted: text'"),
      skillFile('a/b:c', '>\n  folded\n  text'),
      '---\r\nname: crlf\r\ndescription: with\r\n  more: lines\r\n---\r\nBody\r\n',
      '---\nname: empty\ndescription: d\n---',
    ];
    await root.write(Object.fromEntries(texts.map((text, at) => [`.gemini/skills/${at}/SKILL.md`, text])));
    const theirs = await loadSkillsFromDir(join(root.path, '.gemini', 'skills'));
    const ours = await library().refresh();
    assert.deepEqual(
      ours.map(({ name, description }) => [name, description]).sort(),
      theirs.map(({ name, description }) => [name, description.trim()]).sort(),
    );
    assert.equal(ours.length, texts.length);
  });

  it('are none in Restricted Mode, not even the user’s own', async () => {
    await home.write({ '.gemini/skills/a/SKILL.md': skillFile('a') });
    const skills = library();
    assert.deepEqual(await names(skills), ['user a']);
    trusted = false;
    assert.deepEqual([await names(skills), skills.list, skills.find('a')], [[], [], undefined]);
  });

  it('of a project that lie elsewhere do not count', async () => {
    await home.write({ 'elsewhere/SKILL.md': skillFile('elsewhere') });
    await root.write({ '.gemini/skills/': '' });
    await symlink(join(home.path, 'elsewhere'), join(root.path, '.gemini', 'skills', 'link'));
    assert.deepEqual(await names(), []);
  });

  it('can be switched off one by one, or all', async () => {
    await home.write({ '.gemini/skills/a/SKILL.md': skillFile('a'), '.gemini/skills/b/SKILL.md': skillFile('b') });
    await home.write({ '.gemini/settings.json': '{ "skills": { "disabled": ["A"] } }' });
    assert.deepEqual(await names(), ['user b']);
    await root.write({ '.gemini/settings.json': '{ "skills": { "enabled": false } }' });
    assert.deepEqual(await names(), []);
  });

  it('that change, come or go are noticed; those that do not are the same list', async () => {
    await root.write({ '.gemini/skills/a/SKILL.md': skillFile('a') });
    const skills = library();
    const first = await skills.refresh();
    assert.equal(await skills.refresh(), first);
    await root.write({
      '.gemini/skills/a/SKILL.md': skillFile('a', 'Other.'),
      '.gemini/skills/b/SKILL.md': skillFile('b'),
    });
    assert.deepEqual(
      (await skills.refresh()).map(({ description }) => description),
      ['Other.', 'Does it.'],
    );
  });

  it('are one list without any in a folder that is not trusted, so that the instruction is not made anew', async () => {
    await root.write({ '.gemini/skills/a/SKILL.md': skillFile('a') });
    const skills = new SessionSkills(library(), { isTrusted: () => trusted, activated: () => [] });
    trusted = false;
    const none = await skills.refresh(new DiskView());
    assert.deepEqual(none, []);
    assert.equal(await skills.refresh(new DiskView()), none);
    trusted = true;
    assert.deepEqual(
      (await skills.refresh(new DiskView())).map(({ name }) => name),
      ['a'],
    );
  });

  it('of a project keep their yes over restarts, until they change', async () => {
    await root.write({ '.gemini/skills/a/SKILL.md': skillFile('a') });
    const [first] = await library().refresh();
    assert.ok(first);
    const before = library();
    await before.refresh();
    assert.equal(before.isAccepted(first), false);
    await before.accept(first);
    const after = library();
    await after.refresh();
    assert.equal(after.isAccepted(first), true);
    await root.write({ '.gemini/skills/a/SKILL.md': skillFile('a', 'Does it.', 'Do something else.') });
    const [changed] = await after.refresh();
    assert.ok(changed);
    assert.equal(after.isAccepted(changed), false);
  });
});
