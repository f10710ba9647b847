import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import * as l10n from '@vscode/l10n';
import { readBeginning } from '../files/read-beginning.ts';
import { expandForExtension, extensionLabel } from '../ports/extension-folder.ts';
import { oneLine } from '../text/one-line.ts';
import type { Skill, SkillProblem } from './skill.ts';
import { readSkillFields, type SkillFields } from './skill-fields.ts';
import type { SkillPlace } from './skill-places.ts';

/** The instructions of a skill go into the conversation as they are. */
const MAX_BYTES = 200_000;
const MAX_NAME = 100;
/** What stands for something else in paths and in commands. */
const NOT_IN_NAMES = /[:\\/<>*?"|]/g;

export type ReadSkill = { readonly skill: Skill } | { readonly problem: SkillProblem } | { readonly missing: true };

/** The skill of a `SKILL.md`. `root`: the folder that is open. */
export async function readSkill(file: string, place: SkillPlace, root: string | undefined): Promise<ReadSkill> {
  const read = await readBeginning(file, MAX_BYTES, (real) => place.accepts(real));
  const wrong = (line: number, text: string): ReadSkill => ({ problem: { file, line, text } });
  if ('failed' in read) {
    if (read.failed === 'missing') return { missing: true };
    return wrong(1, l10n.t('The skill file could not be read ({0}).', read.failed));
  }
  if (read.isCut) return wrong(1, l10n.t('The skill file is larger than 200 kB.'));
  const matter = readSkillFields(read.text);
  if ('problem' in matter) return wrong(...fault(matter));
  const { name, description } = matter.fields;
  if (typeof name !== 'string' || nameOf(name) === '')
    return wrong(matter.lineOf('name'), l10n.t('The skill has no name.'));
  if (typeof description !== 'string' || description.trim() === '')
    return wrong(matter.lineOf('description'), l10n.t('The skill has no description.'));
  const { source, extension } = place;
  const expand = (text: string): string => (extension ? expandForExtension(text, extension, root) : text);
  const about = { name: nameOf(name), description: oneLine(expand(description)), instructions: expand(matter.body) };
  const origin = extension && { origin: extensionLabel(extension.name) };
  const folder = dirname(read.path);
  const ownsFolder = dirname(file) !== place.folder;
  return { skill: { ...about, ...origin, folder, source, file, isBuiltIn: false, hash: hashOf(about), ownsFolder } };
}

function nameOf(name: string): string {
  return oneLine(name.replace(NOT_IN_NAMES, '-'), MAX_NAME);
}

function fault(matter: Extract<SkillFields, { problem: string }>): [line: number, text: string] {
  if (matter.problem === 'missing') {
    return [1, l10n.t('The skill must begin with a name and a description between two "---" lines.')];
  }
  return [matter.line, l10n.t('The front matter of the skill is not valid YAML: {0}', matter.why)];
}

function hashOf({ name, description, instructions }: Pick<Skill, 'name' | 'description' | 'instructions'>): string {
  return createHash('sha256')
    .update(JSON.stringify([name, description, instructions]))
    .digest('hex');
}
