import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import * as l10n from '@vscode/l10n';
import { isObject } from '../base/objects.ts';
import { readBeginning } from '../files/read-beginning.ts';
import { expandForExtension, extensionLabel } from '../ports/extension-folder.ts';
import { readFrontMatter, splitFrontMatter } from '../text/front-matter.ts';
import { oneLine } from '../text/one-line.ts';
import type { Skill, SkillPlace, SkillProblem } from './skill.ts';

/** The instructions of a skill are added to the conversation unchanged. */
const MAX_BYTES = 200_000;
const MAX_NAME = 100;
/** Characters with a special meaning in paths and commands. */
const NOT_IN_NAMES = /[:\\/<>*?"|]/g;

export type ReadSkill = { readonly skill: Skill } | { readonly problem: SkillProblem } | { readonly missing: true };

/** Reads the skill in a `SKILL.md`. `root` is the open folder. */
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

/** The front matter and the text of a skill. */
type SkillFields =
  | {
      readonly fields: Readonly<Record<string, unknown>>;
      readonly body: string;
      /** The line of a field, or of the first field; starts at 1. */
      lineOf(field: string): number;
    }
  | { readonly problem: 'missing' }
  | { readonly problem: 'malformed'; readonly line: number; readonly why: string };

function readSkillFields(file: string): SkillFields {
  const parts = splitFrontMatter(file);
  if (!parts) return { problem: 'missing' };
  const { header, body } = parts;
  const read = readFrontMatter(file);
  // Many descriptions contain a colon, which is not valid YAML, or are a number. Gemini CLI accepts that too.
  const fields = plainFields(header);
  if ('matter' in read && isObject(read.matter.data)) {
    const { data, lineOf } = read.matter;
    const isText = typeof data['name'] === 'string' && typeof data['description'] === 'string';
    return { fields: isText ? data : fields, body, lineOf: (field) => lineOf([field]) };
  }
  if (Object.keys(fields).length > 0) return { fields, body, lineOf: (field) => lineIn(header, field) };
  return 'problem' in read ? read : { problem: 'malformed', line: 1, why: 'there are no fields' };
}

/** Reads line by line: `name: value`. Indented lines after a description belong to it. */
function plainFields(header: string): Readonly<Record<string, string>> {
  const fields = new Map<string, string>();
  let isDescription = false;
  for (const line of header.split(/\r?\n/)) {
    if (isDescription && /^[ \t]+\S/.test(line)) {
      fields.set('description', `${fields.get('description') ?? ''} ${line.trim()}`.trim());
      continue;
    }
    const [, key, value = ''] = /^\s*(name|description):\s*(.*)$/.exec(line) ?? [];
    if (key !== undefined) fields.set(key, value.trim());
    isDescription = key === 'description';
  }
  return Object.fromEntries(fields);
}

function lineIn(header: string, field: string): number {
  const at = header.split('\n').findIndex((line) => new RegExp(`^\\s*["']?${field}["']?\\s*:`).test(line));
  return at === -1 ? 1 : at + 2;
}
