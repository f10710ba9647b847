import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ShellProgram } from '../../../../extension/processes/shell/shell-program.ts';
import { createSyntaxCheck, type SyntaxCheckOptions } from '../../../../extension/processes/shell/syntax-check.ts';
import { shellsHere } from '../../../support/stub-shells.ts';
import { createTempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';

describe("the shell's own syntax check", () => {
  if (process.platform === 'win32') return;
  let workspace: TempWorkspace;
  beforeEach(async () => {
    workspace = await createTempWorkspace();
  });
  afterEach(() => workspace.dispose());

  const check = (file: string, environment: Record<string, string> = {}, more: Partial<SyntaxCheckOptions> = {}) =>
    createSyntaxCheck({ environment: () => environment, program: shellAt(file), ...more });

  for (const { name, file } of shellsHere()) {
    describe(`of ${name}`, () => {
      for (const text of [
        "git commit -m 'it'\\''s'",
        'for f in a b; do ls "$f"; done',
        'ls > x 2>&1',
        '( ls )',
        '-n a',
      ])
        it(`accepts ${text}`, async () => {
          assert.equal(await check(file)(text), true);
        });

      for (const text of ["echo 'a", 'ls; )', "if 'ls'", '{ ls; ', 'ls | | ls', 'for f in a; do'])
        it(`refuses ${text}`, async () => {
          assert.equal(await check(file)(text), false);
        });

      it('runs nothing', async () => {
        const target = join(workspace.path, 'PWN');
        const settings = join(workspace.path, 'settings');
        await writeFile(settings, `touch ${target}`);
        const environment = { ENV: settings, BASH_ENV: `$(touch ${target})${settings}`, ZDOTDIR: workspace.path };
        const accepts = check(file, environment);
        for (const text of [
          `touch '${target}'`,
          `echo "$(touch ${target})" $((a[$(touch ${target})]))`,
          `ls '' > ${target}`,
          `set +n; touch ${target}\nset +o noexec\ntouch ${target}`,
          `trap 'touch ${target}' EXIT; : \${x:=$(touch ${target})}`,
        ])
          await accepts(text);
        assert.deepEqual(await readdir(workspace.path), ['settings']);
      });
    });
  }

  it('refuses a here-document without an end, which bash only warns about', async () => {
    assert.equal(await check('/bin/bash')('cat << E\na'), false);
  });

  it('accepts a text although the language of the user is not installed', async () => {
    assert.equal(await check('/bin/bash', { LC_ALL: 'xx_YY.UTF-8' })("echo 'a b'"), true);
  });

  it('starts no shell for plain words, and one for a text that it has accepted', async () => {
    const counter = join(workspace.path, 'counter');
    await writeFile(counter, `#!/bin/sh\necho x >> ${workspace.path}/starts\n`, { mode: 0o755 });
    const accepts = check(counter);
    for (const text of ['git log -5 src/a.ts', 'ls -la && cat a.txt | wc -l || true', "echo 'a b'", "echo 'a b'"])
      assert.equal(await accepts(text), true, text);
    assert.equal(await readFile(join(workspace.path, 'starts'), 'utf8'), 'x\n');
  });

  it('refuses every text that needs it if the shell cannot be started, fails or prints anything', async () => {
    const talking = join(workspace.path, 'talking');
    await writeFile(talking, '#!/bin/sh\necho hello\n', { mode: 0o755 });
    for (const file of ['/no/such/shell', '/bin/false', talking])
      assert.equal(await check(file)("echo 'a b'"), false, file);
  });

  it('refuses a text if the shell does not end in time', async () => {
    const hanging = join(workspace.path, 'hanging');
    await writeFile(hanging, '#!/bin/sh\nread x < /dev/tty || tail -f /dev/null\n', { mode: 0o755 });
    const alarm = (_ms: number, ring: () => void): (() => void) => {
      ring();
      return () => undefined;
    };
    assert.equal(await check(hanging, {}, { alarm })("echo 'a b'"), false);
  });
});

function shellAt(file: string): ShellProgram {
  return { file, argumentsFor: (command) => ['-c', '--', command] };
}
