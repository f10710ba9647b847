import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findSandbox, type Machine } from '../../../extension/sandbox/sandbox-support.ts';

type End = Awaited<ReturnType<Machine['run']>>;

const machine = (platform: NodeJS.Platform, files: readonly string[], end: Partial<End> = {}): Machine => ({
  platform,
  exists: (path) => files.includes(path),
  run: () => Promise.resolve({ exitCode: 0, stdout: '', stderr: '', ...end }),
});

describe('Whether there is a sandbox', () => {
  const BWRAP = '/usr/bin/bwrap';
  const SEATBELT = '/usr/bin/sandbox-exec';

  it('is found out by trying', async () => {
    assert.deepEqual(await findSandbox(machine('linux', [BWRAP], { stdout: 'signals\n' })), {
      tool: { kind: 'bubblewrap', file: BWRAP, resetsSignals: true },
    });
    assert.deepEqual(await findSandbox(machine('linux', [BWRAP])), {
      tool: { kind: 'bubblewrap', file: BWRAP, resetsSignals: false },
    });
    assert.deepEqual(await findSandbox(machine('darwin', [SEATBELT])), {
      tool: { kind: 'seatbelt', file: SEATBELT, resetsSignals: false },
    });
  });

  const cases: readonly [what: string, machine: Machine, says: RegExp][] = [
    ['Windows', machine('win32', []), /no sandbox for this system/],
    ['Linux without bubblewrap', machine('linux', []), /Install the package "bubblewrap"/],
    ['macOS without Seatbelt', machine('darwin', []), /There is no \/usr\/bin\/sandbox-exec/],
    [
      'Ubuntu, which forbids user namespaces',
      machine('linux', [BWRAP], { exitCode: 1, stderr: 'bwrap: setting up uid map: Permission denied\n' }),
      /setting up uid map: Permission denied.*apparmor_restrict_unprivileged_userns=0/,
    ],
    ['one that holds nothing', machine('linux', [BWRAP], { exitCode: 99 }), /blocks nothing/],
    ['a profile that does not compile', machine('darwin', [SEATBELT], { exitCode: 65, stderr: 'unbound' }), /unbound/],
    [
      'bubblewrap that may not be executed',
      machine('linux', [BWRAP], { exitCode: null, failure: `${BWRAP} cannot be run: permission denied.` }),
      /^\/usr\/bin\/bwrap cannot be run: permission denied\. Make it executable with "chmod a\+x \/usr\/bin\/bwrap", or install its package again\.$/,
    ],
    ['one that does not start', machine('linux', [BWRAP], { exitCode: null, failure: 'no such file' }), /no such file/],
  ];
  for (const [what, there, says] of cases) {
    it(`says what to do about ${what}`, async () => {
      const support = await findSandbox(there);
      assert.match('missing' in support ? support.missing : '', says);
    });
  }
});
