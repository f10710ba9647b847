import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { missingProgramFact } from '../../../../extension/tools/shell/missing-program.ts';
import { createTempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';

describe('A command whose program is missing', () => {
  let workspace: TempWorkspace;

  before(async () => {
    workspace = await createTempWorkspace({
      'package.json': JSON.stringify({ scripts: { check: 'x', lint: 'y' } }),
      'node_modules/.bin/tsc': '',
      'node_modules/.bin/lint': '',
      'web/package.json': 'not JSON',
      'programs/python3': '',
      'programs/git': '',
      'programs/git me this': '',
    });
    await chmod(join(workspace.path, 'programs/git'), 0o755);
  });
  after(() => workspace.dispose());

  const none = (name: string): RegExp => new RegExp(`^There is no program "${name}" here, so the same command fails`);
  const table: readonly (readonly [
    command: string,
    output: string,
    expected: string | RegExp | undefined,
    folder?: string,
    exitCode?: number,
  ])[] = [
    [
      'tsc -p .',
      'bash: line 1: tsc: command not found',
      /^There is no program "tsc"\. Did you mean npx tsc, which .*\?$/,
    ],
    ['tsc', 'sh: 1: tsc: not found\n', /npx tsc/, 'web'],
    ['check', 'zsh:1: command not found: check', /Did you mean npm run check, a script of package\.json\?$/],
    ['lint', 'bash: lint: command not found', /Did you mean npx lint, .* or npm run lint, /],
    ['check', 'bash: check: command not found', none('check'), 'web'],
    ['python x.py', 'bash: line 1: python: command not found', 'There is no program "python". Did you mean python3?'],
    ['gti status', 'bash: line 1: gti: command not found', 'There is no program "gti". Did you mean git?'],
    ['gitt status', 'bash: line 1: gitt: command not found', 'There is no program "gitt". Did you mean git?'],
    ['frobnicate', 'bash: line 1: frobnicate: command not found', none('frobnicate')],
    // The output of a program can't make us name another one.
    ['./run.sh', 'bash: rm: command not found', undefined],
    ['grep x', 'x: command not found', undefined, '.', 1],
    ['gitt', "The term 'gitt' is not recognized as a name of a cmdlet", /Did you mean git\?/, '.', 1],
    ['tsc', 'bash: tsc: command not found', undefined, '.', 0],
  ];

  for (const [command, output, expected, folder = '.', exitCode = 127] of table) {
    it(`gets ${expected ?? 'no advice'} for ${command} with "${output.trim()}" and exit code ${exitCode}`, async () => {
      const fact = await missingProgramFact({
        command,
        output,
        exitCode,
        folder: join(workspace.path, folder),
        roots: [workspace.path],
        path: join(workspace.path, 'programs'),
      });
      if (expected instanceof RegExp) assert.match(fact ?? '', expected);
      else assert.equal(fact, expected);
    });
  }
});
