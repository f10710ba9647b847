import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { blockedLines, sandboxFact } from '../../../../extension/tools/shell/blocked-by-sandbox.ts';

describe('What the sandbox has blocked', () => {
  const cases: readonly [line: string, kind: 'files' | 'network' | undefined][] = [
    ["touch: cannot touch '/etc/x': Read-only file system", 'files'],
    ["EROFS: read-only file system, open '/home/me/.cache/x'", 'files'],
    ['bash: .vscode/tasks.json: Read-only file system', 'files'],
    ["mv: cannot move '.git' to '.g': Device or resource busy", 'files'],
    ['curl: (6) Could not resolve host: example.com', 'network'],
    ['npm error errno EAI_AGAIN request to https://registry.example failed', 'network'],
    ['ping: connect: Network is unreachable', 'network'],
    ['3 tests failed', undefined],
  ];
  for (const [line, kind] of cases) {
    it(line, () => {
      const expected = { files: kind === 'files' ? [line] : [], network: kind === 'network' ? [line] : [] };
      assert.deepEqual(blockedLines(`before\r\n${line}\r\nafter`), expected);
      assert.equal(sandboxFact(line).includes('outside_sandbox'), kind !== undefined);
    });
  }
});
