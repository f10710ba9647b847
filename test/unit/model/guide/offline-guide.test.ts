import assert from 'node:assert/strict';
import type { Content, Part } from '@google/genai';
import * as l10n from '@vscode/l10n';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { environmentNews } from '../../../../extension/context/environment/environment-text.ts';
import { knowledgeNote } from '../../../../extension/context/instruction/knowledge-note.ts';
import type { AnswerChunk } from '../../../../extension/model/content-generator.ts';
import { OfflineGuide } from '../../../../extension/model/guide/offline-guide.ts';
import { createReadFileTool } from '../../../../extension/tools/files/read-file.ts';
import german from '../../../../l10n/bundle.l10n.de.json' with { type: 'json' };
import { createTempWorkspace, type TempWorkspace, type WorkspaceFiles } from '../../../support/temp-workspace.ts';
import { createToolContext } from '../../../support/tool-context.ts';
import { ask, userSays } from '../asking.ts';

const TOOLS = [{ functionDeclarations: [{ name: 'read_file' }] }];

describe('the offline guide', () => {
  let workspace: TempWorkspace;

  beforeEach(async () => {
    workspace = await createTempWorkspace();
  });

  afterEach(() => workspace.dispose());

  /** A turn as the product runs it: calls go to the real tool and come back as responses. */
  async function talk(question: string, files: WorkspaceFiles = {}): Promise<{ said: string; read: string[] }> {
    await workspace.write(files);
    const guide = new OfflineGuide({ roots: () => [workspace.path] });
    const contents: Content[] = [userSays(question)];
    const read: string[] = [];
    for (;;) {
      const { chunks, text, error } = await ask(guide, { contents, config: { tools: TOOLS } });
      assert.equal(error, undefined);
      const call = partsOf(chunks).find((part) => part.functionCall)?.functionCall;
      if (!call) return { said: text, read };
      const path = String(call.args?.['file_path']);
      read.push(path);
      const response = await readFile(path);
      const id = `call-${read.length}`;
      contents.push({
        role: 'model',
        parts: [...partsOf(chunks).filter((part) => part.text), { functionCall: { ...call, id } }],
      });
      contents.push({ role: 'user', parts: [{ functionResponse: { id, name: 'read_file', response } }] });
    }
  }

  async function readFile(path: string): Promise<Record<string, unknown>> {
    const { content, error } = await createReadFileTool().execute(
      { file_path: path },
      createToolContext([workspace.path]),
    );
    return error ? { error: error.message } : { output: content };
  }

  it('does what the panel suggests in another language', async () => {
    l10n.config({ contents: { 'Walk through this folder': 'Führe durch diesen Ordner' } });
    try {
      assert.deepEqual((await talk('Führe durch diesen Ordner', { 'README.md': '# Ferry\n' })).read, ['README.md']);
    } finally {
      l10n.config({ contents: {} });
    }
  });

  it('answers in the language of the reader, and knows what it suggests itself', async () => {
    l10n.config({ contents: german });
    try {
      const { said } = await talk('Hallo');
      assert.match(said, /^Das ist die Offline-Einführung: .*\n\n- \*\*Führe durch diesen Ordner\*\*\n/);
      const suggested = [...said.matchAll(/^- \*\*([^*]+)\*\*$/gm)].map(([, words = '']) => words);
      assert.equal(suggested.length, 6);
      for (const words of suggested) assert.notEqual((await talk(words)).said, said, words);
      const walk = await talk('Führe durch diesen Ordner', { 'README.md': '# Fähre\n\n## Fahrplan\n' });
      assert.match(walk.said, /`README\.md` hat 3 Zeilen\.\n\nIhre erste Überschrift ist `Fähre`\./);
    } finally {
      l10n.config({ contents: {} });
    }
  });

  it('walks through a folder by its README', async () => {
    const readme = '# Ferry\n\nText.\n\n## Install\n\n```sh\n# not a heading\n```\n\n## Use `it` <b>now</b>\n';
    const { said, read } = await talk('Walk through this folder', { 'README.md': readme });
    assert.deepEqual(read, ['README.md']);
    assert.match(said, /`README\.md` has 11 lines\.\n\nIts first heading is `Ferry`\./);
    assert.match(said, /- `Install`\n- `Use 'it' <b>now<\/b>`\n/);
    assert.match(said, /asks before it changes anything/);
    assert.doesNotMatch(said, /not a heading/);
  });

  it('continues to package.json when there is no README', async () => {
    const manifest = JSON.stringify({
      name: 'ferry',
      description: 'Moves things.',
      scripts: { build: 'x', test: 'y' },
    });
    const { said, read } = await talk('Walk through this folder', { 'package.json': manifest });
    assert.deepEqual(read, ['README.md', 'readme.md', 'package.json']);
    assert.match(said, /describes the package `ferry`: `Moves things\.`/);
    assert.match(said, /- `build`\n- `test`/);
  });

  it('says so when there is nothing to start from', async () => {
    const { said, read } = await talk('Walk through this folder');
    assert.equal(read.length, 3);
    assert.match(said, /nothing to start from.*\n\n- `README\.md`: /);
  });

  it('counts the lines of a long file as they are', async () => {
    const { said } = await talk('walk me through', { 'README.md': `# Long\n${'line\n'.repeat(3000)}` });
    assert.match(said, /`README\.md` has 3001 lines\.\n\nIts first heading is `Long`/);
  });

  it('shows the first lines of a file that is named', async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
    const { said, read } = await talk('Could you read src/app.ts?', { 'src/app.ts': lines.join('\n') });
    assert.deepEqual(read, ['src/app.ts']);
    assert.match(said, /The first 12 of 20 lines of `src\/app\.ts`:\n\n```ts\nline 1\n/);
    assert.doesNotMatch(said, /line 13/);
  });

  it('does not let the file break out of the code block', async () => {
    const { said } = await talk('read notes.md', { 'notes.md': '````\n# Hi\n' });
    assert.match(said, /`````md\n````\n# Hi\n`````/);
  });

  it('says why a file could not be read', async () => {
    const { said } = await talk('read nope.ts');
    assert.match(said, /`nope\.ts` could not be read: .*nope\.ts/);
  });

  const answers: readonly [question: string, says: RegExp][] = [
    [
      'What can Gantry do today?',
      /Edit files.*hunk by hunk.*Run commands.*Hand tasks to agents.*MCP servers.*Restricted Mode.*gantry -p.*Public API/s,
    ],
    [
      'How do I connect a model?',
      /Gantry: Set API Key….*GEMINI_API_KEY.*gantry\.auth\.project.*Sign In with Google….*GOOGLE_GEMINI_BASE_URL/s,
    ],
    ['How do I add a key?', /Gantry: Set API Key…/],
    ['Write me a poem, e.g. about v1.2', /Walk through this folder/],
    ['', /Walk through this folder/],
  ];
  for (const [question, says] of answers) {
    it(`has an answer to "${question}", and says that it is not an AI`, async () => {
      const { said, read } = await talk(question);
      assert.match(said, says);
      assert.match(said, /a script, not an AI/);
      assert.deepEqual(read, []);
    });
  }

  it('explains itself without a folder', async () => {
    const guide = new OfflineGuide({ roots: () => [] });
    const { text } = await ask(guide, { contents: [userSays('Walk through this folder')], config: { tools: TOOLS } });
    assert.match(text, /No folder is open.*Open Folder/);
  });

  const ACTS: readonly [question: string, tool: string, args: RegExp, done: RegExp][] = [
    ['Show me an edit', 'write_file', /gantry-tour\.md/, /`gantry-tour\.md` is in your folder now/],
    ['Run a command', 'run_shell_command', /git --version/, /The command has ended/],
    ['Ask me something', 'ask_user', /not sure\?/, /"0": "Ask me".*model would get this answer/s],
  ];
  for (const [question, name, args, done] of ACTS) {
    const functionDeclarations = [{ name }];
    const guide = new OfflineGuide({ roots: () => ['/w'] });
    const answered = (response: Record<string, unknown>): Content[] => [
      userSays(question),
      { role: 'model', parts: [{ functionCall: { id: '1', name, args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { id: '1', name, response } }] },
    ];

    it(`uses the real tool for "${question}", and goes by what came of it`, async () => {
      const config = { tools: [{ functionDeclarations }] };
      const { chunks, text } = await ask(guide, { contents: [userSays(question)], config });
      const called = partsOf(chunks).at(-1)?.functionCall;
      assert.equal(called?.name, name);
      assert.match(JSON.stringify(called?.args), args);
      assert.match(text, /a script, not an AI/);
      const ran = await ask(guide, { contents: answered({ output: '{\n  "0": "Ask me"\n}' }), config });
      assert.match(ran.text, done);
      const refused = await ask(guide, { contents: answered({ error: 'The user did not allow\nthis call.' }), config });
      assert.match(refused.text, /It was not done.*> The user did not allow this call\./s);
    });

    it(`says why "${question}" cannot be shown where the tool is missing`, async () => {
      const { text, chunks } = await ask(guide, { contents: [userSays(question)] });
      assert.match(text, new RegExp(`tool \`${name}\` is not available.*not trusted, Gantry only reads`));
      assert.equal(
        partsOf(chunks).some((part) => part.functionCall),
        false,
      );
    });
  }

  it('explains itself without the tool', async () => {
    const guide = new OfflineGuide({ roots: () => ['/w'] });
    assert.match(
      (await ask(guide, { contents: [userSays('read a-file.ts')] })).text,
      /tool `read_file` is not available/,
    );
  });

  it('answers the newest question, not the one before', async () => {
    const guide = new OfflineGuide({ roots: () => ['/w'] });
    const before: Content[] = [
      userSays('Walk through this folder'),
      { role: 'model', parts: [{ functionCall: { id: '1', name: 'read_file', args: { file_path: 'README.md' } } }] },
      { role: 'user', parts: [{ functionResponse: { id: '1', name: 'read_file', response: { output: '# Old' } } }] },
      { role: 'model', parts: [{ text: 'Done.' }] },
    ];
    const { chunks } = await ask(guide, { contents: [...before, userSays('Walk again')], config: { tools: TOOLS } });
    assert.deepEqual(partsOf(chunks).at(-1)?.functionCall, { name: 'read_file', args: { file_path: 'README.md' } });
  });

  it('does not take what Gantry tells the model for a question', async () => {
    const facts = { date: { text: 'Date: today. What can the shell do?' } };
    const told = [environmentNews(facts, {}), environmentNews(facts, { system: 'x' })].map((news) => news?.text ?? '');
    const notes = [...told, knowledgeNote({ mode: 'yolo', memory: [] }, { memory: {} })?.text ?? ''];
    const guide = new OfflineGuide({ roots: () => ['/w'] });
    for (const note of notes) {
      assert.notEqual(note, '');
      const parts = [{ text: note }, { text: 'Walk through this folder' }];
      for (const contents of [[{ role: 'user', parts }], [...parts].reverse().map(({ text }) => userSays(text))]) {
        const { chunks } = await ask(guide, { contents, config: { tools: TOOLS } });
        assert.equal(partsOf(chunks).at(-1)?.functionCall?.args?.['file_path'], 'README.md', note);
      }
    }
  });

  it('streams like a model: a thought, several chunks, usage, and a finish reason at the end', async () => {
    const guide = new OfflineGuide({ roots: () => ['/w'] });
    const { chunks } = await ask(guide, { contents: [userSays('Walk through')], config: { tools: TOOLS } });
    const reasons = chunks.map((chunk) => chunk.candidates?.[0]?.finishReason);
    assert.equal(partsOf(chunks)[0]?.thought, true);
    assert.ok(chunks.length > 3);
    assert.deepEqual(reasons, [...Array(chunks.length - 1).fill(undefined), 'STOP']);
    assert.ok(chunks.every((chunk) => chunk.usageMetadata?.totalTokenCount === 0));
    assert.equal(chunks[1]?.modelVersion, 'offline-guide');
  });

  it('stops when told to', async () => {
    const stop = new AbortController();
    const request = { model: 'x', contents: [userSays('Hi')], config: {} };
    const chunks = new OfflineGuide({ roots: () => [] }).generateContentStream(request, stop.signal);
    await chunks.next();
    stop.abort(new Error('Stop'));
    await assert.rejects(chunks.next(), /Stop/);
  });
});

function partsOf(chunks: readonly AnswerChunk[]): readonly Part[] {
  return chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []);
}
