import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Tool, ToolResult } from '../../../extension/ports/tool.ts';
import { badArguments } from '../../../extension/scheduler/tool-call.ts';
import { allTools } from '../../support/all-tools.ts';
import { createEditWorkspace, type EditWorkspace } from '../../support/edit-workspace.ts';
import { fakeEditor } from '../../support/fake-editor.ts';
import { assertGolden } from '../../support/golden.ts';
import { repoRoot } from '../../support/repo.ts';
import { errorTextsIn } from '../../support/source/error-texts.ts';
import { ERROR_CASES, type ErrorCase, fails, TAX } from '../../support/tool-error-cases.ts';

/** Tools that can't fail by themselves. */
const NEVER_FAIL = ['list_background_processes', 'update_topic', 'get_open_editors'];

/** Error types in the sources that this table can't provoke on every machine, with the reason. */
const NOT_PROVOKED: Readonly<Record<string, string>> = {
  permission_denied: 'The superuser may read everything.',
  ls_execution_error: 'Takes a disk that fails.',
};

/** Texts that take a failing disk or network, another user, or a change at the wrong moment. Other tests have some. */
const UNLIKELY: readonly RegExp[] = [
  /ermission denied/,
  /cannot be written: |Could not read |could not be (?:read|listed|started)/,
  /was moved or replaced|may no longer be changed|no folder to list/,
  /The rename was cancelled|Reading the output was cancelled|^Cancelled\.$/,
  /ripgrep\) is missing/,

  /Too many requests|It took longer than|did not answer in time/,
];

// Windows has other paths and other messages.
const describeOnce = process.platform === 'win32' ? describe.skip : describe;

describeOnce('The errors of the tools', function () {
  this.timeout(60_000);
  let files: EditWorkspace;
  let tools: readonly Tool[];
  let reads = 0;
  const seen = new Set<string>();
  const messages: string[] = [];

  before(async () => {
    files = await createEditWorkspace({
      'src/tax.ts': TAX,
      'src/other.ts': TAX,
      'README.md': '# Read me\n',
      'GEMINI.md': '## Gantry Added Memories\n\n- Use tabs.\n',
      '.gitignore': 'ignored.txt\nhidden/\n',
      'ignored.txt': 'x',
      'hidden/tax.ts': TAX,
      '.env': 'KEY=1',
      '.git/config': '[core]\n',
      'logo.bin': Buffer.from([1, 0, 2]),
      'latin.txt': Buffer.from('caf\xe9', 'latin1'),
      'large.txt': 'x',
      'plans/plan.txt': 'x',
      'plans/empty.md': '\n',
      'plans/large.md': 'x'.repeat(1024 * 1024 + 1),
    });
    await truncate(files.at('large.txt'), 21 * 1024 * 1024);
    execFileSync('mkfifo', [files.at('pipe')]);
    tools = allTools({
      editor: fakeEditor({ symbols: (query) => (query === 'fail' ? fails() : Promise.resolve([])), rename }),
      skills: {
        list: () =>
          ['broken', 'changing', 'spreadsheets'].map((name) => ({
            name,
            description: 'x',
            folder: files.path,
            isBuiltIn: false,
          })),
        read: (name) =>
          name === 'changing' ? Promise.resolve({ instructions: 'Do it.', hash: String(reads++) }) : fails(),
        consentTo: () => undefined,
        agreed: () => Promise.resolve(),
      },
    });
  });
  after(() => files.dispose());

  const rename: ReturnType<typeof fakeEditor>['rename'] = (_at, name) => {
    const change = (path: string, before = TAX, after = `// ${name}\n`) => ({ path, before, after });
    const file = files.at('src/tax.ts');
    const changed: Readonly<Record<string, readonly ReturnType<typeof change>[]>> = {
      outside: [change('/elsewhere/tax.ts')],
      hidden: [change(files.at('ignored.txt'), 'x')],
      same: [change(file, TAX, TAX)],
      twice: [change(file), change(file)],
      stale: [change(file, 'before')],
      levy: [change(file)],
    };
    const found = changed[name];
    return Promise.resolve(found ? { files: found } : { problem: 'The editor cannot rename what is there.' });
  };

  for (const [name, cases] of Object.entries(ERROR_CASES)) {
    it(`of ${name} say what was wrong and what to do`, async () => {
      const tool = tools.find((each) => each.name === name);
      assert.ok(tool);
      const texts: string[] = [];
      for (const [index, each] of cases.entries()) {
        const { error } = await resultOf(tool, each, `${name}-${index}`);
        assert.ok(error, `${name} works although ${each.when}`);
        seen.add(error.type);
        messages.push(error.message);
        texts.push(`# If ${each.when}\n${error.type}: ${plain(error.message)}`);
      }
      assertGolden(texts.join('\n\n'), `tool-errors/${name}.txt`);
    });
  }

  it('are in this table for every tool', () => {
    const missing = tools
      .map(({ name }) => name)
      .filter((name) => !(name in ERROR_CASES) && !NEVER_FAIL.includes(name));
    assert.deepEqual(missing, []);
  });

  it('are in this table for every kind of error that the sources name', () => {
    const kinds = new Set(
      [...read('extension/ports/tool.ts').matchAll(/^ {2}\| '(\w+)';?$/gm)].map(([, kind = '']) => kind),
    );
    const folder = 'extension/tools';
    const named = new Set(
      readdirSync(join(repoRoot, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts'))
        .flatMap((path) => [...read(join(folder, path)).matchAll(/'(\w+)'/g)].map(([, word = '']) => word))
        .filter((word) => kinds.has(word) && word.includes('_')),
    );
    const missing = [...named].filter((kind) => !seen.has(kind) && !(kind in NOT_PROVOKED));
    assert.deepEqual(missing, []);
  });

  it('are in this table with every text that the sources have', () => {
    const texts = errorTextsIn('extension/tools');
    assert.ok(texts.length > 75, `${texts.length}`);
    const missing = texts.filter(
      ({ source, pattern }) =>
        !UNLIKELY.some((each) => each.test(source)) && !messages.some((each) => pattern.test(each)),
    );
    assert.deepEqual(
      missing.map(({ source }) => source),
      [],
    );
  });

  async function resultOf(
    tool: Tool,
    { args, context, setUp, isProposed }: ErrorCase,
    callId: string,
  ): Promise<ToolResult> {
    const parsed = tool.schema.safeParse(args);
    if (!parsed.success) return badArguments(tool, parsed.error.issues);
    const there = files.context({ callId, ...context?.(files) });
    const proposed = await tool.propose?.(parsed.data, there);
    if (proposed && 'failed' in proposed) return proposed.failed;
    await setUp?.(files);
    const approved =
      isProposed && proposed ? { proposal: proposed.proposal, answer: { decision: 'once' as const } } : undefined;
    return tool.execute(parsed.data, { ...there, ...(approved && { approved }) });
  }

  const plain = (message: string): string => message.replaceAll(files.path, '/workspace').replaceAll('\\', '/');
});

function read(path: string): string {
  return readFileSync(join(repoRoot, path), 'utf8');
}
