import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { refusedPaths } from '../../../../extension/tools/shell/refused-paths.ts';
import { processorTime } from '../../../support/processor-time.ts';

describe('The paths that a program could not change', () => {
  const cases: readonly [output: string, ...paths: string[]][] = [
    ['bash: line 1: /home/me/x: Read-only file system', '/home/me/x'],
    ['bash: out/x: Permission denied', '/ws/out/x'],
    ['sh: 1: cannot create /home/me/x: Read-only file system', '/home/me/x'],
    ['sh: 1: cannot create ../x: Read-only file system', '/x'],
    ['zsh:1: read-only file system: /home/me/x', '/home/me/x'],
    ['zsh:1: read-only file system: a b', '/ws/a b'],
    ["touch: cannot touch '/home/me/a b': Read-only file system", '/home/me/a b'],
    ['mkdir: cannot create directory ‘../new’: Permission denied', '/new'],
    ["cp: cannot create regular file '/home/me/x': Read-only file system", '/home/me/x'],
    ["mv: cannot move '/a/x' to '/b/y': Read-only file system", '/a/x', '/b/y'],
    ["mv: cannot move '.git' to '.g': Device or resource busy", '/ws/.git', '/ws/.g'],
    ['touch: /Users/me/x: Operation not permitted', '/Users/me/x'],
    ['tee: ../x: Read-only file system', '/x'],
    ['tar: dir/file: Cannot open: Read-only file system', '/ws/dir/file'],
    ["Error: EROFS: read-only file system, open '/home/me/.cache/x'", '/home/me/.cache/x'],
    ["Error: EACCES: permission denied, rename '/a/x' -> '/a/y'", '/a/x', '/a/y'],
    ['npm error code EROFS\nnpm error syscall mkdir\nnpm error path /home/me/.npm/_cacache', '/home/me/.npm/_cacache'],
    ["npm error rofs EROFS: read-only file system, mkdir '/home/me/.npm'", '/home/me/.npm'],
    ["OSError: [Errno 30] Read-only file system: '/home/me/x'", '/home/me/x'],
    ["PermissionError: [Errno 13] Permission denied: '../x'", '/x'],
    [
      "WARNING: The directory '/home/me/.cache/pip' or its parent directory is not owned or is not writable by the current user.",
      '/home/me/.cache/pip',
    ],
    ["fatal: could not create work tree dir '/home/me/x': Read-only file system", '/home/me/x'],
    ['error: could not lock config file .git/config: Read-only file system', '/ws/.git/config'],
    ["fatal: Unable to create '/repo/.git/index.lock': Read-only file system", '/repo/.git/index.lock'],
    [
      'error: failed to open: /home/me/.cargo/registry/.package-cache\n\nCaused by:\n  Read-only file system (os error 30)',
      '/home/me/.cargo/registry/.package-cache',
    ],
    [
      'error: failed to create directory `/home/me/.cargo/registry`\n\nCaused by:\n  Read-only file system (os error 30)',
      '/home/me/.cargo/registry',
    ],
    ['go: could not create module cache: mkdir /home/me/go: read-only file system', '/home/me/go'],
    ['open /home/me/.cache/go-build/x: read-only file system', '/home/me/.cache/go-build/x'],
    ['java.io.FileNotFoundException: /home/me/x (Read-only file system)', '/home/me/x'],
    ['Read-only file system @ rb_sysopen - /home/me/x (Errno::EROFS)', '/home/me/x'],
    ['/usr/bin/ld: cannot open output file /home/me/x: Permission denied', '/home/me/x'],
    ["touch: cannot touch '/home/me/a\u001bb': Read-only file system"],
    ['npm error code ENOENT\nnpm error syscall open\nnpm error path /home/me/package.json'],
    ['3 tests failed in /home/me/x'],
    [''],
  ];
  for (const [output, ...paths] of cases) {
    it(`are ${paths.join(' and ') || 'none'}: ${JSON.stringify(output)}`, () => {
      assert.deepEqual(refusedPaths(`before /a/b\r\n${output}\r\nafter`, '/ws'), paths);
    });
  }

  it('are those that it named last, when it named many', () => {
    const output = Array.from({ length: 100 }, (_, n) => `tee: /x/${n}: Read-only file system`).join('\n');
    const paths = refusedPaths(output, '/ws');
    assert.equal(paths.length, 20);
    assert.equal(paths[0], '/x/99');
  });

  it('are read from a long and hostile output in no time', () => {
    for (const piece of ["'a", 'a: ', '/a', 'Permission denied: ', "tee: '/a: Permission denied\n", '`‘"']) {
      const took = processorTime(() => {
        refusedPaths(piece.repeat(100_000), '/ws');
        refusedPaths(`${piece.repeat(20_000)} Permission denied`, '/ws');
      });
      assert.ok(took < 500, piece);
    }
  });
});
