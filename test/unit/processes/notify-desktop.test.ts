import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { notifierOf, notifyDesktop } from '../../../extension/processes/notify-desktop.ts';
import { tempFolder } from '../../support/temp-folder.ts';

describe('A notification of the desktop', () => {
  const hostile = '"; rm -rf ~ $(id) `id` <b>&\' --help';

  it('has its texts as arguments or variables, never in a script', () => {
    const mac = notifierOf('darwin', hostile, hostile, {});
    assert.deepEqual(mac?.args.slice(-2), [hostile, hostile]);
    assert.equal(mac.args.slice(0, -2).join(' ').includes('rm -rf'), false);
    const windows = notifierOf('win32', hostile, hostile, { SystemRoot: 'D:\\Win' });
    assert.match(windows?.file ?? '', /^D:\\Win\\System32\\.*powershell\.exe$/);
    assert.equal(windows?.args.join(' ').includes('rm -rf'), false);
    assert.deepEqual(windows.environment, { GANTRY_NOTICE_TITLE: hostile, GANTRY_NOTICE_TEXT: hostile });
    const linux = notifierOf('linux', hostile, hostile, {});
    assert.deepEqual(linux?.args.slice(1), ['--', hostile, hostile.replace('&', '&amp;').replace('<', '&lt;')]);
    assert.equal(notifierOf('freebsd', '', '', {}), undefined);
  });

  it('is shown by the program, which says whether that worked', async () => {
    const folder = await tempFolder('notice');
    const said = join(folder.path, 'said');
    const program = (script: string) => ({ file: process.execPath, args: ['-e', script] });
    const notice = { title: 'Done', text: 'After a minute', environment: { SAID: said } };
    const writing = program('require("fs").writeFileSync(process.env.SAID, "here")');
    assert.equal(await notifyDesktop(notice, writing), true);
    assert.equal(await readFile(said, 'utf8'), 'here');
    assert.equal(await notifyDesktop(notice, program('process.exit(1)')), false);
    assert.equal(await notifyDesktop(notice, { file: '/no/such/program', args: [] }), false);
    await folder.dispose();
  });
});
