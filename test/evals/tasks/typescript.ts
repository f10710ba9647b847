import { runs } from '../behaviours.ts';
import { edit, solve, type Task } from '../task.ts';
import { ASSERT, TYPESCRIPT_PACKAGES, TYPESCRIPT_PROJECT, testFile } from './typescript-project.ts';

export const TYPESCRIPT_TASKS: readonly Task[] = [
  {
    id: 'ts-page-count',
    language: 'TypeScript',
    kind: 'bug',
    level: 1,
    make: (vary) => {
      const size = vary.int(7, 20);
      const source = `export const PAGE_SIZE = ${size};

/** The number of pages that a list of this length fills. */
export function pageCount(items: number): number {
  return Math.floor(items / PAGE_SIZE) + 1;
}

/** The items of one page, counted from 1. */
export function page<T>(items: readonly T[], number: number): readonly T[] {
  return items.slice((number - 1) * PAGE_SIZE, number * PAGE_SIZE);
}
`;
      return {
        files: {
          ...TYPESCRIPT_PROJECT,
          'src/pages.ts': source,
          'test/pages.test.ts': testFile(
            "import { pageCount } from '../src/pages.ts';",
            "test('one item fills one page', () => assert.equal(pageCount(1), 1));\n",
          ),
        },
        packages: TYPESCRIPT_PACKAGES,
        prompts: [
          `The list shows an empty last page whenever the number of items is a multiple of ${size}. Please fix that.`,
        ],
        mayChange: ['src/pages.ts', 'test/pages.test.ts'],
        check: async (result) => {
          await result.typescript(`${ASSERT}import { page, pageCount } from './src/pages.ts';
for (const n of [1, ${size - 1}, ${size}, ${size + 1}, ${size * 3}]) assert.equal(pageCount(n), Math.ceil(n / ${size}), String(n));
assert.deepEqual(page([1, 2, 3], 1), [1, 2, 3]);`);
        },
        solution: [
          solve(
            [edit('src/pages.ts', 'Math.floor(items / PAGE_SIZE) + 1', 'Math.ceil(items / PAGE_SIZE)')],
            ['npm test'],
            'The count rounded down and added one; it rounds up now. The tests pass.',
          ),
        ],
      };
    },
  },
  {
    id: 'ts-shared-default',
    language: 'TypeScript',
    kind: 'bug',
    level: 2,
    make: () => ({
      files: {
        ...TYPESCRIPT_PROJECT,
        'src/defaults.ts': `export interface Filter {
  tags: string[];
  limit: number;
}

export const DEFAULT_FILTER: Filter = { tags: [], limit: 50 };
`,
        'src/search.ts': `import { DEFAULT_FILTER, type Filter } from './defaults.ts';

export class Search {
  private readonly filter: Filter;

  constructor(filter: Partial<Filter> = {}) {
    this.filter = Object.assign(DEFAULT_FILTER, filter);
  }

  tag(name: string): this {
    this.filter.tags.push(name);
    return this;
  }

  describe(): string {
    const { tags, limit } = this.filter;
    return \`\${limit}:\${tags.join(',')}\`;
  }
}
`,
        'src/pages.ts': `import { Search } from './search.ts';

export const start = (): string => new Search({ limit: 10 }).tag('new').describe();
export const archive = (): string => new Search().tag('old').describe();
`,
        'test/search.test.ts': testFile(
          "import { Search } from '../src/search.ts';",
          "test('describes itself', () => assert.equal(new Search({ limit: 3 }).tag('a').describe(), '3:a'));\n",
        ),
      },
      packages: TYPESCRIPT_PACKAGES,
      prompts: [
        'After somebody visits the start page, the archive page shows only 10 results and also the tag "new". Find out why and fix it.',
      ],
      mayChange: ['src/search.ts', 'src/defaults.ts', 'test/search.test.ts'],
      check: async (result) => {
        await result.typescript(`${ASSERT}import { archive, start } from './src/pages.ts';
import { Search } from './src/search.ts';
assert.equal(start(), '10:new');
assert.equal(archive(), '50:old');
assert.equal(archive(), '50:old');
const tags = ['x'];
new Search({ tags }).tag('y');
assert.deepEqual(tags, ['x'], 'the tags of the caller were changed');`);
      },
      solution: [
        solve(
          [
            edit(
              'src/search.ts',
              'this.filter = Object.assign(DEFAULT_FILTER, filter);',
              'const all = { ...DEFAULT_FILTER, ...filter };\n    this.filter = { ...all, tags: [...all.tags] };',
            ),
          ],
          ['npm test'],
          'Object.assign wrote into the shared defaults. Each search has its own copy now.',
        ),
      ],
    }),
  },
  {
    id: 'ts-late-answer',
    language: 'TypeScript',
    kind: 'bug',
    level: 3,
    make: () => ({
      files: {
        ...TYPESCRIPT_PROJECT,
        'src/suggest.ts': `/** Looks up suggestions while somebody types. */
export class Suggest {
  shown: readonly string[] = [];

  constructor(private readonly lookUp: (text: string) => Promise<readonly string[]>) {}

  async type(text: string): Promise<void> {
    if (text === '') {
      this.shown = [];
      return;
    }
    this.shown = await this.lookUp(text);
  }
}
`,
        'test/suggest.test.ts': testFile(
          "import { Suggest } from '../src/suggest.ts';",
          `test('shows what was found', async () => {
  const suggest = new Suggest(async (text) => [text + '!']);
  await suggest.type('a');
  assert.deepEqual(suggest.shown, ['a!']);
});
`,
        ),
      },
      packages: TYPESCRIPT_PACKAGES,
      prompts: [
        'Users of our search box report that fast typing sometimes ends with suggestions for an earlier text, even suggestions when the box is empty again. Please fix src/suggest.ts and run the tests with `npm test`.',
      ],
      mayChange: ['src/suggest.ts', 'test/suggest.test.ts'],
      behaviours: [runs(/npm (run )?test|npm t\b/)],
      check: async (result) => {
        await result.typescript(`${ASSERT}import { Suggest } from './src/suggest.ts';
const open = new Map();
const suggest = new Suggest((text) => new Promise((resolve, reject) => open.set(text, { resolve, reject })));
const first = suggest.type('a');
const second = suggest.type('ab');
open.get('ab').resolve(['ab1']);
await second;
open.get('a').resolve(['a1']);
await first;
assert.deepEqual(suggest.shown, ['ab1'], 'an earlier answer won');
const third = suggest.type('abc');
await suggest.type('');
open.get('abc').resolve(['abc1']);
await third;
assert.deepEqual(suggest.shown, [], 'an answer for a text that is gone');
const fourth = suggest.type('x');
open.get('x').resolve(['x1']);
await fourth;
assert.deepEqual(suggest.shown, ['x1']);`);
      },
      solution: [
        solve(
          [
            edit(
              'src/suggest.ts',
              'shown: readonly string[] = [];',
              'shown: readonly string[] = [];\n  private newest = 0;',
            ),
            edit('src/suggest.ts', "    if (text === '') {", "    const mine = ++this.newest;\n    if (text === '') {"),
            edit(
              'src/suggest.ts',
              'this.shown = await this.lookUp(text);',
              'const found = await this.lookUp(text);\n    if (mine === this.newest) this.shown = found;',
            ),
          ],
          ['npm test'],
          'Answers to an earlier text are ignored now. The tests pass.',
        ),
      ],
    }),
  },
  {
    id: 'ts-csv-quotes',
    language: 'TypeScript',
    kind: 'feature',
    level: 2,
    make: (vary) => {
      const separator = vary.pick([';', ',', '|']);
      return {
        files: {
          ...TYPESCRIPT_PROJECT,
          'src/csv.ts': `const SEPARATOR = '${separator}';

export function toLine(cells: readonly string[]): string {
  return cells.join(SEPARATOR);
}

export function parseLine(line: string): string[] {
  return line.split(SEPARATOR);
}
`,
          'test/csv.test.ts': testFile(
            "import { parseLine, toLine } from '../src/csv.ts';",
            `test('round trip', () => assert.deepEqual(parseLine(toLine(['a', 'b'])), ['a', 'b']));\n`,
          ),
        },
        packages: TYPESCRIPT_PACKAGES,
        prompts: [
          `Our CSV export breaks when a cell contains "${separator}". Let toLine put such cells, and those with a double quote or a line break, into double quotes (a quote inside is doubled), and only those. parseLine must read them back. Add tests.`,
        ],
        mayChange: ['src/csv.ts', 'test/csv.test.ts'],
        check: async (result) => {
          await result.typescript(`${ASSERT}import { parseLine, toLine } from './src/csv.ts';
const s = '${separator}';
assert.equal(toLine(['a', 'b' + s + 'c']), 'a' + s + '"b' + s + 'c"');
assert.equal(toLine(['say "hi"', 'x']), '"say ""hi"""' + s + 'x');
assert.equal(toLine(['plain', '']), 'plain' + s);
const cases = [['a'], ['', ''], ['"'], [s, s + s], ['x"y' + s, 'z'], ['two\\nlines', 'b'], ['""', '"' + s + '"']];
for (const cells of cases) assert.deepEqual(parseLine(toLine(cells)), cells);`);
          if ((await result.read('test/csv.test.ts')).split('test(').length < 3) {
            throw new Error('No test was added.');
          }
        },
        solution: [
          solve(
            [
              edit('src/csv.ts', 'return cells.join(SEPARATOR);', 'return cells.map(quoted).join(SEPARATOR);'),
              edit(
                'src/csv.ts',
                `  return line.split(SEPARATOR);
}`,
                `  const cells: string[] = [];
  let cell = '';
  let inQuotes = false;
  for (let i = 0; i < line.length; i++) {
    const char = line.charAt(i);
    if (inQuotes && char === '"' && line.charAt(i + 1) === '"') {
      cell += '"';
      i++;
    } else if (char === '"') {
      inQuotes = !inQuotes;
    } else if (char === SEPARATOR && !inQuotes) {
      cells.push(cell);
      cell = '';
    } else {
      cell += char;
    }
  }
  return [...cells, cell];
}

function quoted(cell: string): string {
  const isPlain = !cell.includes(SEPARATOR) && !/["\\r\\n]/.test(cell);
  return isPlain ? cell : \`"\${cell.replaceAll('"', '""')}"\`;
}`,
              ),
              edit(
                'test/csv.test.ts',
                "test('round trip'",
                `test('quotes', () => assert.deepEqual(parseLine(toLine(['a"${separator}b'])), ['a"${separator}b']));\ntest('round trip'`,
              ),
            ],
            ['npm test'],
            'Cells are quoted where they need it, and read back. I added a test; all pass.',
          ),
        ],
      };
    },
  },
];
