import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, it } from 'mocha';
import { distDir } from '../dist.ts';
import { repoRoot } from '../repo.ts';
import { type TempFolder, tempFolder } from '../temp-folder.ts';
import { answerText } from './answer-text.ts';
import { type AskedClient, LspClient, type LspClientOptions } from './lsp-client.ts';

/** The place of the cursor. */
const MARK = '‸';

/** The folders of tests, with the start options of the server in them. */
export const GOLDEN_FOLDERS = {
  policy: { commands: ['gantry.tryRule', 'gantry.acceptPolicyFile'] },
  agents: { variables: ['TOKEN', 'HOME'] },
  skills: {},
  commands: {},
  memory: {},
  json: { variables: ['HOME', 'GEMINI_API_KEY'], path: process.env['PATH'] },
};
export type GoldenFolder = keyof typeof GOLDEN_FOLDERS;

interface GoldenCase {
  /** What is asked for, such as `hover`. */
  readonly request: string;
  readonly title: string;
  /** The texts by path. The one with the mark is open, or the first. */
  readonly files: readonly (readonly [path: string, text: string])[];
  readonly answer: string;
}

export interface GoldenRun {
  readonly start: (options: LspClientOptions) => Promise<AskedClient>;
  /** Whether a file of the folder is one of the tests. */
  readonly isChosen: (name: string) => boolean;
}

/**
 * One test for each file of `test/fixtures/language-server/<folder>`: below a line `request: title`, the files of a
 * project, one of them with the mark, and then the server's answer, which `--update-snapshots` writes anew.
 */
export function goldenCases(
  folder: GoldenFolder,
  { start = LspClient.start, isChosen = () => true }: Partial<GoldenRun> = {},
): void {
  const fixtures = join(repoRoot, 'test/fixtures/language-server', folder);
  let place: TempFolder;
  let client: AskedClient;

  before(async () => {
    place = await tempFolder('lsp');
    client = await start({ root: place.path, options: GOLDEN_FOLDERS[folder] });
  });
  after(async () => {
    await client.stop();
    await place.dispose();
  });

  for (const name of readdirSync(fixtures).sort().filter(isChosen)) {
    const path = join(fixtures, name);
    const golden = parseCase(readFileSync(path, 'utf8').replaceAll('\r\n', '\n'));
    it(`${golden.request}: ${golden.title}`, async () => {
      const answer = await answerOf(golden, client, place.path);
      if (process.env['GANTRY_UPDATE_SNAPSHOTS'] === '1') writeFileSync(path, caseText({ ...golden, answer }));
      else assert.equal(answer, golden.answer, `differs from ${name}`);
    });
  }
}

async function answerOf({ request, files }: GoldenCase, client: AskedClient, root: string): Promise<string> {
  const marked = files.find(([, text]) => text.includes(MARK)) ?? files[0];
  assert.ok(marked, 'a case needs a file');
  const made = await Promise.all(files.map(([path, text]) => writeAt(join(root, path), text.replace(MARK, ''))));
  await client.changedOnDisk(root);
  const [name, text] = marked;
  const uri = await client.open(join(root, name), text.replace(MARK, ''));
  try {
    const offset = Math.max(0, text.indexOf(MARK));
    const before = text.slice(0, offset).split('\n');
    const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
    const found = await answerText(client, { request, uri, position, text: text.replace(MARK, '') });
    assert.equal(client.errors, '');
    const places = [
      [root, '/root'],
      [distDir, '/dist'],
    ] as const;
    return places
      .reduce((text, [from, to]) => text.replaceAll(client.uri(from), `file://${to}`).replaceAll(from, to), found)
      .trimEnd();
  } finally {
    await client.close(uri);
    await Promise.all(made.map((path) => rm(path, { force: true })));
  }
}

async function writeAt(path: string, text: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}

const SEPARATOR = /^--- (.+)$/m;

function parseCase(text: string): GoldenCase {
  const [head = '', ...parts] = text.split(SEPARATOR);
  const [request = '', title = ''] = head.trim().split(/: (.*)/s);
  const sections = parts.flatMap((part, at) =>
    at % 2 === 0 ? [[part, (parts[at + 1] ?? '').replace(/^\n/, '')] as const] : [],
  );
  const answer = sections.find(([name]) => name === 'answer')?.[1] ?? '';
  return { request, title, files: sections.filter(([name]) => name !== 'answer'), answer: answer.trimEnd() };
}

function caseText({ request, title, files, answer }: GoldenCase): string {
  const sections = [...files, ['answer', `${answer}\n`] as const].map(([name, text]) => `--- ${name}\n${text}`);
  return `${request}: ${title}\n${sections.join('')}`;
}
