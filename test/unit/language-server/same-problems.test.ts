import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { after, afterEach, before, describe, it } from 'mocha';
import { AgentCatalog } from '../../../extension/agents/agent-catalog.ts';
import { CommandLibrary } from '../../../extension/commands/command-library.ts';
import { memoryProblemText } from '../../../extension/context/memory/loaded-memory.ts';
import { MemoryFiles } from '../../../extension/context/memory/memory-files.ts';
import { SessionMemory } from '../../../extension/context/memory/session-memory.ts';
import { SkillLibrary } from '../../../extension/skills/skill-library.ts';
import type { TextRange } from '../../../extension/text/text-range.ts';
import { type Random, seededRandom } from '../../support/crash/random.ts';
import { LspClient } from '../../support/language-server/lsp-client.ts';
import { eventually } from '../../support/poll.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';
import { runs } from '../../support/test-size.ts';
import { WILD_KINDS, type WildKind, wildMemory } from '../../support/wild-customizations.ts';

interface Reported {
  readonly file: string;
  readonly line: number;
  readonly range?: TextRange;
  readonly text: string;
}

/** Files that are read together, because they may have the same names. */
const AT_ONCE = 5;

describe('The problems in an editor', () => {
  let root: TempWorkspace;
  let client: LspClient;
  let home: TempFolder;

  before(async () => {
    [root, home] = [await createTempWorkspace(), await tempFolder('lsp-home')];
    client = await LspClient.start({ root: root.path, options: { home: root.path, gantryHome: home.path } });
  });
  after(async () => {
    await client.stop();
    await root.dispose();
    await home.dispose();
  });
  afterEach(() => assert.equal(client.errors, ''));

  const workspace = () => ({ roots: () => [root.path], isTrusted: () => true });
  const ofRuntime: Readonly<Record<WildKind, () => Promise<readonly Reported[]>>> = {
    agents: async () => {
      const catalog = new AgentCatalog({ workspace: workspace(), home: root.path, acceptedFile: undefined });
      await catalog.refresh();
      return catalog.problems;
    },
    skills: async () => {
      const library = new SkillLibrary({ workspace: workspace(), geminiHome: root.path, acceptedFile: undefined });
      await library.refresh();
      return library.problems;
    },
    commands: async () => {
      const library = new CommandLibrary({ workspace: workspace(), geminiHome: root.path });
      await library.refresh();
      return library.problems;
    },
  };

  for (const kind of ['agents', 'skills', 'commands'] as const) {
    it(`of ${kind} are those that a session reports, saved or not`, async () => {
      const random = seededRandom(26);
      let found = 0;
      for (let count = 0; count < runs(100, 2000); count += AT_ONCE) {
        const texts = wildFiles(kind, random);
        const before = wildFiles(kind, random);
        await root.write(before);
        await client.changedOnDisk(root.path);
        const uris = await Promise.all(
          Object.entries(texts).map(([path, text]) => client.open(join(root.path, path), text)),
        );
        await shownIn(client, uris);
        await root.write(texts);
        const reported = (await ofRuntime[kind]()).map(problemLine).sort();
        // What the first of them was compared with may not have been open yet.
        const isSame = async (): Promise<boolean> => isDeepStrictEqual(await shownIn(client, uris), reported);
        await eventually('the same problems', isSame).catch(() => undefined);
        assert.deepEqual(await shownIn(client, uris), reported, JSON.stringify(texts));
        found += reported.length;
        await Promise.all(uris.map((uri) => client.close(uri)));
        await Promise.all(Object.keys(texts).map((path) => rm(join(root.path, path))));
      }
      assert.ok(found > runs(30, 600), `${found} problems`);
    });
  }

  it('of instructions are those that a session reports', async () => {
    const random = seededRandom(27);
    let found = 0;
    for (let count = 0; count < runs(60, 2000); count++) {
      const { 'GEMINI.md': text = '', ...others } = wildMemory(random);
      await root.write({ ...others, 'GEMINI.md': 'old' });
      await client.changedOnDisk(root.path);
      const path = join(root.path, 'GEMINI.md');
      const uri = await client.open(path, text);
      const shown = (await client.problems(uri)).map(({ message }) => message).sort();
      await root.write({ 'GEMINI.md': text });
      const files = new MemoryFiles({ home: home.path, geminiHome: home.path, fileNames: () => [] });
      const loaded = await new SessionMemory(files, workspace).refresh();
      const problems = loaded.flatMap((memory) => memory.problems);
      const reported = problems.map(({ file, line, reason, path: written = '' }) => {
        const said = memoryProblemText(reason, written);
        return file === path ? said : `${file.slice(root.path.length + 1)}:${line}: ${said}`;
      });
      assert.deepEqual(shown, reported.sort(), text);
      found += reported.length;
      await client.close(uri);
    }
    assert.ok(found > runs(30, 600), `${found} problems`);
  });
});

function wildFiles(kind: WildKind, random: Random): Readonly<Record<string, string>> {
  const { path, text } = WILD_KINDS[kind];
  return Object.fromEntries(
    Array.from({ length: AT_ONCE }, (_, at) => [join('.gemini', path(at)), text(random)] as const),
  );
}

/** The problems that the runtime knows; those with a code are only for authors. */
async function shownIn(client: LspClient, uris: readonly string[]): Promise<readonly string[]> {
  const lines = await Promise.all(
    uris.map(async (uri) =>
      (await client.problems(uri)).flatMap(({ code, message, range: { start, end } }) => {
        if (code !== undefined) return [];
        const at = {
          line: start.line + 1,
          column: start.character + 1,
          endLine: end.line + 1,
          endColumn: end.character + 1,
        };
        return problemLine({
          file: decodeURIComponent(new URL(uri).pathname),
          line: at.line,
          range: at,
          text: typeof message === 'string' ? message : message.value,
        });
      }),
    ),
  );
  return lines.flat().sort();
}

function problemLine({ file, line, range, text }: Reported): string {
  assert.ok(range && range.line === line, `${file}: ${text}`);
  const { column, endLine, endColumn } = range;
  return `${dirname(file).slice(-8)} ${line}:${column}-${endLine}:${endColumn} ${text}`;
}
