import { isObject } from '../base/objects.ts';
import { readFrontMatter, splitFrontMatter } from '../text/front-matter.ts';

/** The fields above the text of a skill, and the text. */
export type SkillFields =
  | {
      readonly fields: Readonly<Record<string, unknown>>;
      readonly body: string;
      /** Counted from 1: where a field is, or where they begin. */
      lineOf(field: string): number;
    }
  | { readonly problem: 'missing' }
  | { readonly problem: 'malformed'; readonly line: number; readonly why: string };

export function readSkillFields(file: string): SkillFields {
  const parts = splitFrontMatter(file);
  if (!parts) return { problem: 'missing' };
  const { header, body } = parts;
  const read = readFrontMatter(file);
  // Many write a colon into a description, which is no YAML, or a number; Gemini CLI reads that as well.
  const fields = plainFields(header);
  if ('matter' in read && isObject(read.matter.data)) {
    const { data, lineOf } = read.matter;
    const isText = typeof data['name'] === 'string' && typeof data['description'] === 'string';
    return { fields: isText ? data : fields, body, lineOf: (field) => lineOf([field]) };
  }
  if (Object.keys(fields).length > 0) return { fields, body, lineOf: (field) => lineIn(header, field) };
  return 'problem' in read ? read : { problem: 'malformed', line: 1, why: 'there are no fields' };
}

/** Line by line: `name: the rest`, and what is indented below a description belongs to it. */
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
