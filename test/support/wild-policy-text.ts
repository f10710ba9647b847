import { parse } from 'smol-toml';
import type { Random } from './crash/random.ts';
import { pick, sometimes, wildPolicies } from './wild-policies.ts';

/** A valid policy file, written in as many ways as TOML allows. */
export function wildPolicyText(random: Random): string {
  const end = pick(random, ['\n', '\n', '\n', '\r\n']);
  const rules = wildPolicies(random).flatMap(({ text }) => {
    const { rule } = parse(text);
    return Array.isArray(rule) ? rule : [];
  });
  const tables = rules.map((rule) => writtenTable(random, Object.entries(rule)));
  const others = Array.from({ length: random.below(3) }, (_, at) => pick(random, OTHERS).replaceAll('N', String(at)));
  for (const other of others) tables.splice(random.below(tables.length + 1), 0, other);
  const head = sometimes(random, 3, () => pick(random, HEADS)) ?? '';
  return [head, ...tables].join('\n').replaceAll('\n', end);
}

const HEADS = [
  '# My rules\n',
  'title = "mine"\n',
  '\n\n',
  'note = """\n[[rule]]\ntoolName = "*"\n"""\n',
  '# [[rule]]\n',
];
const OTHERS = [
  '[metaN]\nname = "x"\n',
  '[["listN"]]\na = 1\n[["listN"]]\n',
  "[otherN]\ntext = '''\n[[rule]]\ndecision = \"allow\"\n'''\n",
  '[[safety_checker]]\ntoolName = "write_file"\n[safety_checker.checker]\ntype = "in-process"\nname = "allowed-path"\n',
  '[[safety_checker]]\n[deepN.er]\nx = [[1], [\n"]]" # ]\n]]\n[safety_checker.checker]\ntype = "external"\nname = "mine"\n',
];

function writtenTable(random: Random, entries: readonly (readonly [string, unknown])[]): string {
  const below: string[] = [];
  const lines = entries.flatMap(([key, value]) => {
    const name = random.below(8) === 0 ? JSON.stringify(key) : key;
    const comment = random.below(6) === 0 ? pick(random, [' # why', ' #"', " # '''", '\t# [[rule]]']) : '';
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return [`${name}${pick(random, [' = ', '=', '\t=  '])}${writtenValue(random, value)}${comment}`];
    }
    const inside = Object.entries(value).map(([one, other]) => `${one} = ${writtenValue(random, other)}`);
    if (random.below(3) === 0) return inside.map((line) => `${name}.${line}`);
    if (random.below(2) === 0) return [`${name} = { ${inside.join(', ')} }${comment}`];
    below.push(`[rule.${name}]${comment}`, ...inside);
    return [];
  });
  const indent = pick(random, ['', '', '  ', '\t']);
  const header = pick(random, ['[[rule]]', '[[rule]]', '[[ rule ]]', '[["rule"]]', '[[rule]] # one']);
  return [header, ...lines, ...below].map((line) => `${indent}${line}`).join('\n') + pick(random, ['\n', '\n\n', '']);
}

function writtenValue(random: Random, value: unknown): string {
  if (Array.isArray(value)) {
    const items = value.map((item) => writtenValue(random, item));
    if (random.below(2) === 0) return `[${items.join(', ')}]`;
    return `[\n${items.map((item) => `  ${item},${pick(random, ['', ' # ]', ' # "'])}\n`).join('')}]`;
  }
  if (typeof value !== 'string') return String(value);
  const isPlain = !/['\n]/.test(value);
  const written = [JSON.stringify(value), `"""\n${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"""`];
  return pick(random, isPlain ? [...written, `'${value}'`, `'''${value}'''`] : written);
}

const PIECES = [
  '[[rule]]\n',
  '\n[[rule]]\ntoolName = "a"\n',
  '[rule]\n',
  '[[rule]\n',
  '[rule.toolAnnotations]\n',
  '[safety_checker.checker]\n',
  '[[safety_checker]]\n',
  '[[rules]]\n',
  '"""',
  "'''",
  '"',
  "'",
  '[',
  ']',
  '{',
  '}',
  '#',
  '=',
  '\n',
  '\r\n',
  '\r',
  '\\',
  ',',
  'decision = "deny"\n',
  'decision = alow\n',
  'toolName = ["a", 5]\n',
  'priority = 5000\n',
  'modes = []\n',
  'argsPattern = "("\n',
  'commandPrefix = "git"\n',
  'rule = [{ toolName = "b", decision = "deny", priority = 3 }]\n',
  '\uFEFF',
  '\0',
  '\uD800',
  'ü🙂',
];

/** The text after an edit as people, programs or accidents make it. */
export function mutated(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  const removed = random.below(3) === 0 ? random.below(pick(random, [2, 10, 80])) : 0;
  const size = random.below(120);
  const from = random.below(text.length + 1);
  const inserted = random.below(4) === 0 ? text.slice(from, from + size) : pick(random, PIECES);
  return text.slice(0, at) + (random.below(4) === 0 ? '' : inserted) + text.slice(at + removed);
}
