import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import * as l10n from '@vscode/l10n';
import { isObject } from '../base/objects.ts';
import { FileFailure, failureReason } from '../files/file-failure.ts';
import { type Beginning, type OpenTexts, openBeginning, readBeginning } from '../files/read-beginning.ts';
import { expandForExtension, extensionLabel } from '../ports/extension-folder.ts';
import { type ReadFrontMatter, readFrontMatter, splitFrontMatter } from '../text/front-matter.ts';
import { oneLine } from '../text/one-line.ts';
import { FILE_START, firstLine, LineIndex, type Span, type TextRange } from '../text/text-range.ts';
import type { Skill, SkillPlace, SkillProblem } from './skill.ts';

/** The instructions of a skill are added to the conversation unchanged. */
const MAX_BYTES = 200_000;
const MAX_NAME = 100;
/** Characters with a special meaning in paths and commands. */
const NOT_IN_NAMES = /[:\\/<>*?"|]/g;

export type ReadSkill = { readonly skill: Skill } | { readonly problem: SkillProblem } | { readonly missing: true };

/** Reads the skill in a `SKILL.md`. `root` is the open folder. */
export async function readSkill(
  file: string,
  place: SkillPlace,
  root: string | undefined,
  open?: OpenTexts,
): Promise<ReadSkill> {
  const read = await readBeginning(file, MAX_BYTES, (real) => place.accepts(real), open);
  if ('failed' in read && read.failed === 'missing') return { missing: true };
  const text = skillTextIn(read, file);
  if ('problem' in text) return text;
  const { source, extension } = place;
  const expand = (written: string): string => (extension ? expandForExtension(written, extension, root) : written);
  const about = {
    name: text.name,
    description: oneLine(expand(text.description)),
    instructions: expand(text.instructions),
  };
  const origin = extension && { origin: extensionLabel(extension.name) };
  const folder = dirname('failed' in read ? file : read.path);
  const ownsFolder = dirname(file) !== place.folder;
  const { nameRange } = text;
  return {
    skill: { ...about, ...origin, folder, source, file, nameRange, isBuiltIn: false, hash: hashOf(about), ownsFolder },
  };
}

type SkillText =
  | Pick<Skill, 'name' | 'description' | 'instructions' | 'nameRange'>
  | { readonly problem: SkillProblem };

/** The skill in a document that an editor has open. Nothing is read. */
export function readOpenSkill(text: string, file: string): SkillText {
  return skillTextIn(openBeginning(text, file, MAX_BYTES), file);
}

function skillTextIn(read: Beginning, file: string): SkillText {
  if ('text' in read && !read.isCut) return parseSkill(read.text, file);
  const text =
    'failed' in read
      ? l10n.t('The skill file could not be read ({0}).', failureReason(new FileFailure(read.failed)))
      : l10n.t('The skill file is larger than 200 kB.');
  return { problem: { file, line: 1, range: FILE_START, text } };
}

function parseSkill(text: string, file: string): SkillText {
  const matter = readSkillFields(text);
  const wrong = (range: TextRange, why: string, missing?: SkillProblem['missing']): SkillText => ({
    problem: { file, line: range.line, range, text: why, ...(missing && { missing }) },
  });
  if ('problem' in matter) return wrong(matter.range, fault(matter));
  const { name, description } = matter.fields;
  const nameRange = matter.rangeOf('name');
  if (typeof name !== 'string' || nameOf(name) === '')
    return wrong(nameRange, l10n.t('The skill has no name.'), 'name');
  if (typeof description !== 'string' || description.trim() === '')
    return wrong(matter.rangeOf('description'), l10n.t('The skill has no description.'), 'description');
  return { name: nameOf(name), description, instructions: matter.body, nameRange };
}

function nameOf(name: string): string {
  return oneLine(name.replace(NOT_IN_NAMES, '-'), MAX_NAME);
}

function fault(matter: Extract<SkillFields, { problem: string }>): string {
  return matter.problem === 'missing'
    ? l10n.t('The skill must begin with a name and a description between two "---" lines.')
    : l10n.t('The front matter of the skill is not valid YAML: {0}', matter.why);
}

function hashOf({ name, description, instructions }: Pick<Skill, 'name' | 'description' | 'instructions'>): string {
  return createHash('sha256')
    .update(JSON.stringify([name, description, instructions]))
    .digest('hex');
}

/** Why this can't be the name of a skill, as a clause. */
export function skillNameFault(name: string): string | undefined {
  if (name === '') return l10n.t('a skill needs a name');
  return nameOf(name) === name ? undefined : l10n.t('it is too long or has characters that paths do not have');
}

/** The front matter and the text of a skill. */
type SkillFields =
  | {
      readonly fields: Readonly<Record<string, unknown>>;
      readonly body: string;
      /** The place of a field, or of the first field. */
      rangeOf(field: string): TextRange;
    }
  | Extract<ReadFrontMatter, { problem: string }>;

function readSkillFields(file: string): SkillFields {
  const parts = splitFrontMatter(file);
  if (!parts) return { problem: 'missing', range: firstLine(file) };
  const { header, body, offset } = parts;
  const read = readFrontMatter(file);
  // Many descriptions contain a colon, which is not valid YAML, or are a number. Gemini CLI accepts that too.
  const plain = plainFields(header);
  const fields = Object.fromEntries([...plain].map(([field, { text }]) => [field, text]));
  if ('matter' in read && isObject(read.matter.data)) {
    const { data, rangeOf } = read.matter;
    const isText = typeof data['name'] === 'string' && typeof data['description'] === 'string';
    return { fields: isText ? data : fields, body, rangeOf: (field) => rangeOf([field]) };
  }
  const [first] = plain.values();
  if (first) {
    const lines = new LineIndex(file);
    const rangeOf = (field: string): TextRange => {
      const { start, end } = plain.get(field) ?? first;
      return lines.rangeOf({ start: offset + start, end: offset + end });
    };
    return { fields, body, rangeOf };
  }
  return 'problem' in read ? read : { problem: 'malformed', range: firstLine(file), why: 'there are no fields' };
}

/** A value, and where its first line is, or its key if the value is empty. */
interface PlainField extends Span {
  readonly text: string;
}

/** Reads line by line: `name: value`. Indented lines after a description belong to it. */
function plainFields(header: string): ReadonlyMap<string, PlainField> {
  const fields = new Map<string, PlainField>();
  let description: PlainField | undefined;
  let index = 0;
  for (const line of header.split('\n')) {
    const written = line.replace(/\r$/, '');
    if (description && /^[ \t]+\S/.test(written)) {
      description = { ...description, text: `${description.text} ${written.trim()}`.trim() };
      fields.set('description', description);
    } else {
      const found = plainField(written, index);
      if (found) fields.set(found.key, found.field);
      description = found?.key === 'description' ? found.field : undefined;
    }
    index += line.length + 1;
  }
  return fields;
}

function plainField(line: string, index: number): { readonly key: string; readonly field: PlainField } | undefined {
  const [, before = '', key, gap = '', value = ''] = /^(\s*)(name|description)(:\s*)(.*)$/.exec(line) ?? [];
  if (key === undefined) return undefined;
  const text = value.trim();
  const start = index + before.length + (text === '' ? 0 : key.length + gap.length);
  return { key, field: { text, start, end: start + (text === '' ? key : text).length } };
}
