import type { Random } from './crash/random.ts';

/** A text for each kind of file, by the path in `.gemini`. */
export const WILD_KINDS = {
  agents: { path: (at: number) => `agents/wild${at}.md`, text: wildAgent },
  skills: { path: (at: number) => `skills/wild${at}/SKILL.md`, text: wildSkill },
  commands: { path: (at: number) => `commands/wild${at % 2 === 0 ? '' : '/in'}/c${at}.toml`, text: wildCommand },
} as const;

export type WildKind = keyof typeof WILD_KINDS;

const NAMES = ['scout', 'far', 'a-b', 'Big Name', '"q"', '""', '~', '3', 'a/b'];
const TOOLS = ['read_file', 'read_fil', '"*"', 'mcp_docs_*', 'mcp_x', 'glob', '3', '{ a: b }'];
const KEYS: readonly (readonly [key: string, values: readonly string[]])[] = [
  ['kind', ['local', 'remote', 'odd', '[]']],
  ['display_name', ['The Scout', '3']],
  ['model', ['flash', 'inherit', '{}']],
  ['temperature', ['0.5', 'high']],
  ['max_turns', ['3', '0', '1.5', '"3"']],
  ['timeout_mins', ['4', '-1']],
  ['agent_card_url', ['https://x.test/card', 'nowhere']],
  ['agent_card_json', [`'{"a":1}'`, 'x']],
  [
    'auth',
    ['{ type: apiKey, key: $K }', '{ type: http, scheme: Bearer }', '{ type: odd }', '{ type: oauth, tokn: x }'],
  ],
  ['colour', ['red', '[a, b]']],
  ['modle', ['flash']],
  [
    'mcp_servers',
    ['{ docs: { command: docs } }', '{ docs: { args: no } }', '[]', '{ a: { comand: x, url: ftp://x } }'],
  ],
];

/** A definition of agents as people write it: mostly right, with mistakes of all kinds. */
export function wildAgent(random: Random): string {
  const isList = random.below(12) === 0;
  const lines = isList ? wildList(random) : wildFields(random);
  return damaged(random, `---\n${lines.join('\n')}\n---\n\nYou look around.\n`);
}

function wildList(random: Random): readonly string[] {
  return Array.from({ length: 1 + random.below(3) }, () => wildFields(random)).flatMap((fields) =>
    fields.map((line, at) => `${at === 0 ? '- ' : '  '}${line}`),
  );
}

function wildFields(random: Random): readonly string[] {
  const chosen = KEYS.filter(() => random.below(5) === 0).map(([key, values]) => `${key}: ${pick(random, values)}`);
  const name = sometimes(random, 10) ? [] : [`name: ${pick(random, NAMES)}`];
  const description = sometimes(random, 10)
    ? []
    : [`description: ${pick(random, ['Looks', '""', 'a: b', '|-\n  long'])}`];
  const tools = sometimes(random, 3)
    ? [`tools: [${Array.from({ length: random.below(4) }, () => pick(random, TOOLS))}]`]
    : [];
  return shuffled(random, [...name, ...description, ...tools, ...chosen]);
}

/** A skill, with mistakes of all kinds. */
export function wildSkill(random: Random): string {
  const name = pick(random, ['pdf', 'PDF', 'a/b:c', '', '"x"', '3', '[a]']);
  const description = pick(random, ['Does it.', 'Use it: always', '', '>\n  folded', '4', "'q'"]);
  const lines = [
    ...(sometimes(random, 8) ? [] : [`name: ${name}`]),
    ...(sometimes(random, 8) ? [] : [`description: ${description}`]),
    ...(sometimes(random, 3) ? [`${pick(random, ['license', 'descripton', 'nme', 'metadata'])}: MIT`] : []),
  ];
  return damaged(random, `---\n${shuffled(random, lines).join('\n')}\n---\nDo it.\n`);
}

const PARTS = [
  'text ',
  '{{args}}',
  '@{docs/a.md}',
  '@{no.md}',
  '@{a/{{args}}}',
  '!{git status}',
  '!{grep {{args}} .}',
  '!{grep \\"{{args}}\\" .}',
  '!{',
  '@{}',
  '{ a }',
  '\\n',
  '\\u0041',
];

/** A custom command, with mistakes of all kinds. */
export function wildCommand(random: Random): string {
  const prompt = Array.from({ length: random.below(5) }, () => pick(random, PARTS)).join('');
  const quoted = sometimes(random, 3) ? `"""\n${prompt}\n  more\\\n  text"""` : `"${prompt}"`;
  const lines = [
    ...(sometimes(random, 8) ? [] : [`prompt = ${sometimes(random, 8) ? pick(random, ['3', '["a"]', '']) : quoted}`]),
    ...(sometimes(random, 3) ? [] : [`description = ${pick(random, ['"Does it"', "'x'", '3', '"a\\nb"'])}`]),
    ...(sometimes(random, 5) ? [pick(random, ['descripton = "x"', '[table]', '# note', 'a.b = 1'])] : []),
  ];
  return damaged(random, `${shuffled(random, lines).join('\n')}\n`);
}

/** Instructions that import each other: the text of the file and of those around it. */
export function wildMemory(random: Random): Readonly<Record<string, string>> {
  const imports = [
    '@a.md',
    '@b.md',
    '@docs/c.md',
    '@GEMINI.md',
    '@no.md',
    '@../x.md',
    '@somebody',
    '`@a.md`',
    '@.env',
    '@docs',
  ];
  const text = (): string =>
    Array.from(
      { length: 1 + random.below(4) },
      () => `${pick(random, ['Use tabs. ', '', '# '])}${pick(random, imports)}`,
    ).join(pick(random, ['\n', '\r\n', ' ']));
  return { 'GEMINI.md': text(), 'a.md': text(), 'b.md': text(), 'docs/c.md': text(), '.env': 'A=1' };
}

/** Sometimes with a character missing or too much, other line ends or a byte order mark. */
function damaged(random: Random, text: string): string {
  const at = random.below(text.length);
  switch (random.below(12)) {
    case 0:
      return text.slice(0, at) + text.slice(at + 1);
    case 1:
      return text.slice(0, at) + pick(random, ['"', '\n', ':', '[', '}', '\t', '-', '\u2028']) + text.slice(at);
    case 2:
      return text.slice(0, at);
    case 3:
      return text.replaceAll('\n', '\r\n');
    default:
      return text;
  }
}

function shuffled<T>(random: Random, items: readonly T[]): readonly T[] {
  return items
    .map((item) => ({ item, rank: random.below(1000) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

function sometimes(random: Random, oneIn: number): boolean {
  return random.below(oneIn) === 0;
}

function pick<T>(random: Random, values: readonly T[]): T {
  const value = values[random.below(values.length)];
  if (value === undefined) throw new Error('nothing to pick from');
  return value;
}
