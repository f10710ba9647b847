import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { windowsPathProblem } from '../../../extension/files/windows-path.ts';

describe('windows paths', () => {
  const cases: readonly [path: string, problem: string | undefined][] = [
    ['src\\a.ts', undefined],
    ['src/a.ts', undefined],
    ['C:\\work\\src\\a.ts', undefined],
    ['..\\x', undefined],
    ['console.ts', undefined],
    ['com10', undefined],
    ['.git', undefined],
    ['CON', 'device'],
    ['src\\nul', 'device'],
    ['src/aux.txt', 'device'],
    ['COM1.log.txt', 'device'],
    ['LPT¹', 'device'],
    ['CONIN$', 'device'],
    ['nul .txt', 'device'],
    ['\\\\.\\PhysicalDrive0', 'device'],
    ['\\\\?\\C:\\work\\a.ts', 'device'],
    ['//?/C:/work/a.ts', 'device'],
    ['\\??\\C:\\work\\a.ts', 'device'],
    ['a.ts:hidden', 'stream'],
    ['a.ts::$DATA', 'stream'],
    ['C:\\work\\a.ts:hidden', 'stream'],
    ['C:a.ts', 'stream'],
    ['.git::$INDEX_ALLOCATION\\config', 'stream'],
    ['\\\\evil\\share\\a.ts', 'network'],
    ['//evil/share/a.ts', 'network'],
    ['\\\\server\\share-other\\a.ts', 'network'],
    ['\\\\server\\share\\a.ts', undefined],
    ['\\\\SERVER\\Share\\a.ts', undefined],
    ['.git.\\config', 'trailing_dot_or_space'],
    ['.git \\config', 'trailing_dot_or_space'],
    ['a.ts...', 'trailing_dot_or_space'],
  ];
  for (const [path, problem] of cases) {
    it(`${path} is ${problem ?? 'ordinary'}`, () => {
      assert.equal(windowsPathProblem(path, ['C:\\work', '\\\\server\\share']), problem);
    });
  }
});
