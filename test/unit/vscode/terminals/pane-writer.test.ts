import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { endText, paneEnd, paneHeader, paneName, redrawn } from '../../../../extension/vscode/terminals/pane-texts.ts';
import { PaneWriter } from '../../../../extension/vscode/terminals/pane-writer.ts';
import { eventually } from '../../../support/poll.ts';

describe('What a pane writes', () => {
  it('comes in one piece for a frame, and nothing of it is missing', async () => {
    const written: string[] = [];
    const writer = new PaneWriter((text) => written.push(text));
    for (let line = 0; line < 100; line++) writer.push(`line ${line}\r\n`);
    assert.equal(written.length, 0);
    await eventually('a frame', () => written.length > 0 || undefined, { intervalMs: 5 });
    assert.equal(written.length, 1);
    assert.match(written.join('|'), /^line 0\r\nline 1\r\n[^|]*line 99\r\n$/);
    assert.equal(writer.isAtLineStart, true);
  });

  it('omits the middle of a flood, says how much, and keeps its end', () => {
    const written: string[] = [];
    const writer = new PaneWriter((text) => written.push(text));
    const chunk = `${'x'.repeat(998)}\r\n`;
    for (let count = 0; count < 50_000; count++) writer.push(chunk);
    writer.push('the end');
    writer.flush();
    const all = written.join('');
    assert.ok(all.length < 1_200_000, `${all.length} characters were written of 50 million`);
    assert.match(all, /\[\d+\.\d MB of output is not shown here\]/);
    assert.ok(all.endsWith('the end'));
    assert.equal(writer.isAtLineStart, false);
  });

  it('is nothing any more once the pane is closed', async () => {
    const written: string[] = [];
    const writer = new PaneWriter((text) => written.push(text));
    writer.push('late');
    writer.dispose();
    writer.flush();
    assert.deepEqual(written, []);
  });
});

describe('The texts of a pane', () => {
  it('name the command, cut where it is long', () => {
    assert.equal(paneName('npm test'), 'Gantry: npm test');
    assert.equal(paneName('npm test', true), 'Gantry: npm test (sandbox)');
    assert.equal(paneName(`echo ${'🙂'.repeat(60)}`), `Gantry: echo ${'🙂'.repeat(35)}…`);
  });

  it('show every line of a command', () => {
    assert.equal(paneHeader('cat <<E\nE'), '\x1b[1m> cat <<E\r\nE\x1b[0m\r\n');
    assert.match(paneHeader('ls', 'bubblewrap'), /> ls.*\r\n.*\[in the sandbox, by bubblewrap\]/);
  });

  for (const [name, output, expected] of [
    ['draw a question again', 'one\r\nYour \x1b[1mname\x1b[0m: ', '\r\x1b[KYour \x1b[1mname\x1b[0m: '],
    ['draw a bar again as it is now', '10%\r20%', '\r\x1b[K20%'],
    ['leave a finished line alone', 'one\r\n', undefined],
    ['leave a line alone that wraps', 'x'.repeat(90), undefined],
    ['leave the screen of a program alone', '\x1b[2;5Hmenu', undefined],
  ] as const) {
    it(name, () => assert.equal(redrawn(output, 80), expected));
  }

  it('say how it ended, on a line of its own', () => {
    const exit = { exitCode: 1, signal: null };
    assert.ok(paneEnd(exit, false).endsWith('\r\n\x1b[31mexit code 1\x1b[0m\r\n'));
    assert.ok(!paneEnd(exit, true).includes('\r\n\x1b[31m'));
    assert.equal(endText({ exitCode: 130, signal: 'SIGINT' }), 'ended by SIGINT');
    assert.equal(endText({ exitCode: 0, signal: null, leftRunning: [7, 8] }), 'exit code 0, still running: 7, 8');
  });
});
