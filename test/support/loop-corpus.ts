/** Texts for the loop detector, all written for this project. */
export interface CorpusText {
  readonly name: string;
  readonly text: string;
}

const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => `${line(at)}\n`).join('');

const WORDS = ['file', 'test', 'port', 'call', 'line', 'user', 'name', 'path', 'tree', 'node', 'type', 'size', 'lock'];

const STEP = 'I will now open the configuration file and check whether the port is set correctly.';
const LONG_STEP =
  'Let me look at this again. The test fails because the connection is closed before the answer is read. ' +
  'I should make sure that the answer is read first. Then the test will pass and the work is done. ';

/** Texts that are not loops. */
export const HARMLESS: readonly CorpusText[] = [
  {
    name: 'a long table with equal rows',
    text: `| name of the service | state of the service | restarts |\n|---|---|---|\n${lines(80, () => '| payment-worker-in-europe | running without any trouble | 0 |')}`,
  },
  {
    name: 'a long table of many columns',
    text: `|${'-'.repeat(900)}|\n${lines(30, () => `|${' 0.000 |'.repeat(100)}`)}`,
  },
  {
    name: 'a table without bars at its edges',
    text: `Name of the package | Licence | Maintained\n--- | --- | ---\n${lines(60, () => 'a-package-with-a-rather-long-name-for-a-table | MIT | yes')}`,
  },
  {
    name: 'a table with a frame',
    text: lines(40, (at) => (at % 2 ? `| ${'x'.repeat(60)} |` : `+${'-'.repeat(62)}+`)),
  },
  {
    name: 'a table with tabs',
    text: lines(60, () => 'europe-west-1\trunning without trouble\t0 restarts\t99.99 percent'),
  },
  ...['-', '*', '+', '•', '1.', '1)'].map((mark) => ({
    name: `list items after ${mark}`,
    text: `What is left to do:\n${lines(60, () => `${mark} [ ] Write a test for the function and run it until it passes`)}`,
  })),
  {
    name: 'nested list items',
    text: lines(40, (at) =>
      at % 4 ? '  - Add the missing documentation for every public function' : '- A file of the project',
    ),
  },
  {
    name: 'deeply nested list items',
    text: lines(40, () => '      - Add the missing documentation for every public function of it'),
  },
  { name: 'headings', text: lines(40, () => '## What was changed, and why it was changed that way in the end') },
  { name: 'quotations', text: lines(40, () => '> The quick brown fox jumps over the lazy dog, and then once more.') },
  {
    name: 'a block of code with equal lines',
    text: `Here it is:\n\n\`\`\`ts\n${lines(120, () => '  expect(await client.fetch("/health")).toEqual({ ok: true });')}\`\`\`\n\nThat is all.\n`,
  },
  {
    name: 'a block of code with other fences in it',
    text: `~~~~markdown\n\`\`\`\n${lines(60, () => 'console.log("the same line again and again, and again");')}\`\`\`\n~~~\n${lines(60, () => 'console.log("the same line again and again, and again");')}~~~~\n`,
  },
  {
    name: 'code that is only indented',
    text: `The generated file:\n\n${lines(60, () => '    { id: 0, name: "", value: null, enabled: false, tags: [] },')}`,
  },
  {
    name: 'code without a fence, with similar lines',
    text: lines(
      80,
      (at) => `export const ROUTE_${at} = createRoute({ method: 'GET', path: '/items/${at}', handler: item${at} });`,
    ),
  },
  {
    name: 'generated tests without a fence',
    text: lines(
      60,
      (at) => `it('adds ${at} and ${at + 1}', () => assert.equal(add(${at}, ${at + 1}), ${2 * at + 1}));`,
    ),
  },
  {
    name: 'rules between sections',
    text: lines(60, (at) => (at % 2 ? `Section ${at} is about the part number ${at}.` : '='.repeat(100))),
  },
  { name: 'rules of two characters', text: lines(60, (at) => (at % 2 ? `Part ${at}` : '-='.repeat(60))) },
  {
    name: 'a table of contents with leaders',
    text: lines(40, (at) => `Chapter ${at} ${'.'.repeat(90)} ${at * 7}`),
  },
  { name: 'leaders with spaces', text: lines(40, (at) => `Chapter ${at} ${'. '.repeat(60)} ${at * 7}`) },
  {
    name: 'a summary of many files',
    text: lines(
      60,
      (at) => `In src/part-${at}.ts the import was changed from the old module to the new one, line ${at * 3}.`,
    ),
  },
  {
    name: 'the same sentence nine times',
    text: `${STEP} `.repeat(9),
  },
  {
    name: 'the same sentence far apart',
    text: Array.from({ length: 14 }, (_, at) => `${STEP} ${words(at, 60)}\n\n`).join(''),
  },
  { name: 'prose', text: words(1, 1200) },
];

/** Texts that are loops. */
export const LOOPS: readonly CorpusText[] = [
  { name: 'one sentence', text: `${STEP} `.repeat(30) },
  { name: 'one sentence on lines of its own', text: `${STEP}\n`.repeat(30) },
  { name: 'a paragraph', text: LONG_STEP.repeat(20) },
  { name: 'paragraphs with empty lines between them', text: `${LONG_STEP}\n\n`.repeat(20) },
  {
    name: 'a sentence that changes a little',
    text: Array.from({ length: 40 }, (_, at) => `${STEP} ${at % 2 ? 'Yes.' : 'No, wait.'} `).join(''),
  },
  { name: 'one word', text: 'again '.repeat(100) },
  { name: 'one letter', text: 'a'.repeat(400) },
  { name: 'dots without an end', text: '.'.repeat(1000) },
  { name: 'a sentence after a long answer', text: `${words(3, 1500)}\n\n${`${STEP} `.repeat(30)}` },
  { name: 'a sentence before a long answer', text: `${`${STEP} `.repeat(30)}${words(4, 1500)}` },
  { name: 'a sentence in a list item', text: `- First this\n- ${`${STEP} `.repeat(30)}` },
  { name: 'a sentence behind a block of code', text: `\`\`\`\nx\n\`\`\`\n${`${STEP} `.repeat(30)}` },
  { name: 'a sentence behind code inside a line', text: `\`\`\`x\`\`\` is it.\n${`${STEP} `.repeat(30)}` },
  { name: 'a sentence with Windows line ends', text: `${STEP}\r\n`.repeat(30) },
  {
    name: 'a sentence in Japanese',
    text: '設定ファイルを開いて、ポートが正しく設定されているかどうかを確認します。'.repeat(30),
  },
];

/** Prose of this many words that does not repeat itself. */
export function words(seed: number, count: number): string {
  let state = seed * 7919 + 17;
  return Array.from({ length: count }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return `${WORDS[state % WORDS.length]}${state % 97}`;
  }).join(' ');
}

/** The ways to split a text into chunks. */
export const CHUNKINGS: Readonly<Record<string, (text: string) => readonly string[]>> = {
  'character by character': (text) => text.split(''),
  'in sevens': (text) => text.match(/.{1,7}/gs) ?? [],
  'line by line': (text) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [],
  whole: (text) => [text],
};
