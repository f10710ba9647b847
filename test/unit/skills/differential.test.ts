import assert from 'node:assert/strict';
import { loadSkillsFromDir } from '@google/gemini-cli-core';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { SkillLibrary } from '../../../extension/skills/skill-library.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';

/** Front matter, one of each kind of thing that an author writes or gets wrong. */
const MATTERS: readonly string[] = [
  'name: a\ndescription: Does it.',
  'description: Does it.\nname: a',
  'name: "a"\ndescription: \'Does it.\'',
  'name: a b\ndescription: Does it.',
  'name: git:commit/x\\y<z>*?"|\ndescription: Does it.',
  'name: a\ndescription: Use it: always',
  'name: a\ndescription: Use it: always,\n  and then\n\tsome',
  'name: a\ndescription: >\n  Folded\n  text',
  'name: a\ndescription: |\n  Kept',
  'name: a\ndescription: Does it. # a remark',
  'name: a\ndescription: [Does, it]',
  'name: a\ndescription: 12',
  'name: 12\ndescription: Does it.',
  'name: true\ndescription: Does it.',
  'name: a\ndescription: 2026-01-01',
  'name: a',
  'description: Does it.',
  'title: a\ndescription: Does it.',
  'name: a\ndescription: Does it.\nlicense: MIT\nallowed-tools: [x]\nmetadata: { a: 1 }',
  'name: a\nname: b\ndescription: Does it.',
  'a: &a x\nname: *a\ndescription: Does it.',
  'name: a\ndescription: Does it.\nbroken: [',
  'name: a\ndescription: @all of it',
  'name: a\ndescription: `all` of it',
  'name: a\ndescription: %x',
  'name: a\n  description: indented',
  '- name: a\n- description: b',
  'just words',
  'Name: a\nDescription: Does it.',
  'name : a\ndescription : Does it.',
  'name:a\ndescription:Does it.',
  '"name": a\n"description": Does it.',
  '{ name: a, description: Does it. }',
  '# a remark\nname: a\n\ndescription: Does it.',
];

describe('A skill, as Gemini CLI reads it', () => {
  let home: TempWorkspace;
  const { debug } = console;
  // Gemini CLI says there what it makes of front matter.
  before(() => {
    console.debug = () => undefined;
  });
  after(() => {
    console.debug = debug;
  });
  beforeEach(async () => {
    home = await createTempWorkspace();
  });
  afterEach(() => home.dispose());

  interface Read {
    readonly name: string;
    readonly description: string;
    readonly body: string;
  }
  const byName = (left: Read, right: Read): number => (left.name < right.name ? -1 : 1);
  const theirs = async (): Promise<Read[]> =>
    (await loadSkillsFromDir(`${home.path}/.gemini/skills`))
      .map(({ name, description, body }) => ({ name, description: description.replace(/\s+/g, ' ').trim(), body }))
      .sort(byName);
  const ours = async (): Promise<Read[]> => {
    const workspace = { roots: () => [], isTrusted: () => true };
    const library = new SkillLibrary({ workspace, geminiHome: home.path, acceptedFile: undefined });
    return (await library.refresh())
      .map(({ name, description, instructions: body }) => ({ name, description, body }))
      .sort(byName);
  };
  const same = async (text: string): Promise<void> => {
    await home.write({ '.gemini/skills/x/SKILL.md': text });
    assert.deepEqual(await ours(), await theirs());
  };

  for (const matter of MATTERS) {
    it(matter.replaceAll('\n', ' · ').slice(0, 110), () => same(`---\n${matter}\n---\n\n Do it. \n`));
  }

  const HEAD = 'name: a\ndescription: Does it.';
  for (const text of [
    '',
    '---\n---\n',
    `${HEAD}\n---\n`,
    `---\n${HEAD}`,
    `---\n${HEAD}\n---`,
    `---\r\n${HEAD.replace('\n', '\r\n')}\r\n---\r\nDo it.\r\n`,
    `\n---\n${HEAD}\n---\nDo it.`,
    `---\n${HEAD}\n---\nDo it.\n---\nMore.\n---\n`,
  ]) {
    it(JSON.stringify(text), () => same(text));
  }

  it('is read otherwise only where something would be lost or left empty without a word', async () => {
    await home.write({ '.gemini/skills/x/SKILL.md': `---\n${HEAD}\n--- \nDo it.` });
    assert.deepEqual([(await ours())[0]?.body, (await theirs())[0]?.body], ['Do it.', '']);
    for (const text of [`---\n${HEAD}\n---Do it.`, '---\nname: a\ndescription:\n---\nDo it.']) {
      await home.write({ '.gemini/skills/x/SKILL.md': text });
      assert.deepEqual([(await ours()).length, (await theirs()).length], [0, 1], text);
    }
  });

  it('is found in the same places', async () => {
    const skill = (name: string): string => `---\nname: ${name}\ndescription: Does it.\n---\n`;
    await home.write({
      '.gemini/skills/SKILL.md': skill('top'),
      '.gemini/skills/one/SKILL.md': skill('one'),
      '.gemini/skills/one/deep/SKILL.md': skill('deep'),
      '.gemini/skills/two/skill.md': skill('small'),
      '.gemini/skills/three/README.md': skill('readme'),
      '.gemini/skills/node_modules/SKILL.md': skill('module'),
      '.gemini/skills/.hidden/SKILL.md': skill('hidden'),
    });
    assert.deepEqual(await ours(), await theirs());
  });
});
