import assert from 'node:assert/strict';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { findAgentFiles } from '../../../extension/agents/agent-files.ts';
import { writeInstruction } from '../../../extension/context/instruction/write-instruction.ts';
import { failureText } from '../../../extension/files/file-failure.ts';
import { readSettings } from '../../../extension/gemini-config/settings-files.ts';
import { thrownProblem } from '../../../extension/headless/problem-of.ts';
import { checkRecord } from '../../../extension/model/recorded/record-file.ts';
import { ReplayingGenerator } from '../../../extension/model/recorded/replaying-generator.ts';
import { readPolicyPath } from '../../../extension/policy/rules/read-policy-file.ts';
import type { ToolResult } from '../../../extension/ports/tool.ts';
import { startLineProcess } from '../../../extension/processes/line-process.ts';
import { runProgram } from '../../../extension/processes/run-program.ts';
import { prepareStart } from '../../../extension/processes/shell/prepare-start.ts';
import { unreadable } from '../../../extension/runtime/problems/session-problems.ts';
import { createEnterPlanModeTool } from '../../../extension/tools/conversation/plan-mode.ts';
import { failureOf } from '../../../extension/tools/editor/refused.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';
import { createToolContext } from '../../support/tool-context.ts';

describe('What the system refuses', () => {
  let folder: TempFolder;
  const at = (name: string): string => join(folder.path, name);

  before(async () => {
    folder = await tempFolder('file-failure');
    await mkdir(at('agents/one.md'), { recursive: true });
    await writeFile(at('text'), 'not a program');
    await symlink('/dev/null', at('null.toml'));
  });
  after(() => folder.dispose());

  const program = (file: string, place = folder.path): { file: string; folder: string } => ({ file, folder: place });
  const ran = async (what: { file: string; folder: string }): Promise<string | undefined> => {
    const limits = { environment: {}, timeoutMs: 20_000, maxBytes: 1024 };
    return (await runProgram({ ...what, ...limits, args: [], signal: new AbortController().signal })).failure;
  };
  const spoken = (file: string): Promise<string> => {
    const nothing = (): void => undefined;
    const { started } = startLineProcess(
      { ...program(file), args: [], environment: {}, maxLineBytes: 1024 },
      { line: nothing, overlong: nothing, errorLine: nothing },
    );
    return started.then(() => 'started', failureText);
  };
  const shell = (file: string, place = folder.path): string => {
    const start = prepareStart(
      'true',
      { folder: place },
      { environment: {}, program: { file, argumentsFor: () => [] } },
    );
    return 'failure' in start ? start.failure : 'started';
  };
  const { signal } = new AbortController();
  const replayed = (file: string): Promise<number> =>
    new ReplayingGenerator(file).countTokens({ model: 'm', contents: [] }, signal);
  const written = (file: string): Promise<string | undefined> => {
    const ports = { environment: { GEMINI_WRITE_SYSTEM_MD: file }, home: folder.path };
    return writeInstruction('Be brief.', ports, { roots: () => [], isTrusted: () => true });
  };
  const planned = (plansFolder: string): Promise<ToolResult> => {
    const session = { mode: () => 'default' as const, setMode: () => undefined, plansFolder };
    return createEnterPlanModeTool().execute(
      {},
      createToolContext([], { session, ask: () => Promise.resolve({ action: 'decline' as const }) }),
    );
  };
  const thrown = (name: string): Promise<unknown> => readFile(at(name)).catch((error: unknown) => error);

  const cases: readonly [what: string, told: () => unknown, words: RegExp][] = [
    ['a settings file', () => readSettings(at('agents')), /it cannot be read \(there is a folder in its place\)/],
    ['an agent', () => findAgentFiles(at('agents')), /could not be read from here: there is a folder in its place\./],
    ['a program', () => ran(program('/no/such/program')), /^"There is no program \/no\/such\/program\."$/],
    ['the folder of a program', () => ran(program(process.execPath, at('gone'))), /There is no folder .*gone\./],
    ['a file that is no program', () => ran(program(at('text'))), /text cannot be run: permission denied\./],
    ['a server', () => spoken('/no/such/server'), /^"There is no program \/no\/such\/server\."$/],
    ['a shell', () => shell('/no/such/shell'), /There is no program \/no\/such\/shell\./],
    ['the folder of a shell', () => shell('/bin/sh', at('gone')), /There is no folder .*gone\./],
    ['what nobody expected', async () => thrownProblem(await thrown('gone')), /gone: there is no such file\./],
    [
      'answers to record',
      () => checkRecord(at('agents')).catch(thrownProblem),
      /agents: there is a folder in its place\./,
    ],
    ['recorded answers', () => replayed(at('gone')).catch(thrownProblem), /gone: there is no such file\./],
    ['a policy', () => readPolicyPath(at('null.toml')), /could not be read: it is not a regular file\./],
    [
      'a written instruction',
      () => written(at('text/own.md')),
      /not written: .* Reason: a file is in the place of its folder\./,
    ],
    [
      'a folder for plans',
      () => planned(at('text/plans')),
      /could not be made: .*a file is in the place of its folder\./,
    ],
    ['an editor', async () => failureOf(await thrown('gone'), signal), /gone: there is no such file\./],
    ['a session', async () => unreadable(await thrown('agents')), /There is a folder in its place\./],
  ];
  for (const [what, told, words] of cases) {
    it(`is said in words: ${what}`, async () => {
      const text = JSON.stringify(await told());
      assert.match(text, words);
      assert.doesNotMatch(text, /\bE[A-Z]{4,}\b/);
    });
  }
});
