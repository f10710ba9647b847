import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { describe, it } from 'mocha';
import { readPrompt, type Stdin } from '../../../extension/headless/prompt.ts';
import { ProblemError } from '../../../extension/protocol/problem.ts';
import { tempFolder } from '../../support/temp-folder.ts';

interface Sources {
  readonly flag?: string;
  readonly stdin?: Stdin;
  readonly interrupted?: AbortSignal;
  readonly firstByteMs?: number;
}

async function read({
  flag,
  stdin = piped(),
  interrupted = new AbortController().signal,
  firstByteMs = 60_000,
}: Sources) {
  const notes: string[] = [];
  const prompt = await readPrompt({ flag, stdin, interrupted, firstByteMs, note: (text) => notes.push(text) });
  return { prompt, notes };
}

function piped(...chunks: readonly (string | Uint8Array)[]): Stdin {
  return Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
}

function terminal(): Stdin {
  return Object.assign(new PassThrough(), { isTTY: true });
}

function badInput(text: RegExp): (error: unknown) => boolean {
  return (error) => ProblemError.is(error, 'bad-input') && text.test(error.message);
}

describe('headless prompt', () => {
  const prompts: readonly { readonly name: string; readonly sources: () => Sources; readonly prompt: string }[] = [
    { name: 'the flag', sources: () => ({ flag: 'Hi' }), prompt: 'Hi' },
    { name: 'the flag at a terminal', sources: () => ({ flag: 'Hi', stdin: terminal() }), prompt: 'Hi' },
    { name: 'stdin', sources: () => ({ stdin: piped('Hi ', 'there\n') }), prompt: 'Hi there' },
    { name: 'stdin after an empty flag', sources: () => ({ flag: ' ', stdin: piped('Hi') }), prompt: 'Hi' },
    { name: 'both', sources: () => ({ flag: 'Review', stdin: piped('a\nb\r\n') }), prompt: 'Review\n\na\nb' },
    { name: 'the flag when stdin is blank', sources: () => ({ flag: 'Hi', stdin: piped(' \n') }), prompt: 'Hi' },
    {
      name: 'a character split in two',
      sources: () => ({ stdin: piped(Uint8Array.of(0xc3), Uint8Array.of(0xa9)) }),
      prompt: 'é',
    },
    { name: 'text after a byte order mark', sources: () => ({ stdin: piped('\ufeffHi') }), prompt: 'Hi' },
  ];
  for (const { name, sources, prompt } of prompts) {
    it(`is ${name}`, async () => {
      assert.deepEqual(await read(sources()), { prompt, notes: [] });
    });
  }

  const missing: readonly { readonly name: string; readonly stdin: () => Stdin }[] = [
    { name: 'at a terminal', stdin: terminal },
    { name: 'with empty stdin', stdin: () => piped() },
    { name: 'with blank stdin', stdin: () => piped('\n \n') },
  ];
  for (const { name, stdin } of missing) {
    it(`is missing ${name}`, async () => {
      assert.deepEqual(await read({ stdin: stdin() }), { prompt: undefined, notes: [] });
    });
  }

  it('does not wait for ever for an addition from a pipe that stays open, and says so', async () => {
    const stdin = new PassThrough();
    const { prompt, notes } = await read({ flag: 'Hi', stdin, firstByteMs: 1 });
    assert.equal(prompt, 'Hi');
    assert.match(notes.join(), /Nothing came from stdin/);
    assert.ok(stdin.destroyed, 'an open pipe would keep the process alive');
  });

  it('sees what came while the process was busy', async () => {
    const folder = await tempFolder('stdin');
    const done = join(folder.path, 'done');
    const { stdout } = spawn('sh', ['-c', 'printf piped; : > "$0"', done], { stdio: ['ignore', 'pipe', 'ignore'] });
    const reading = read({ flag: 'Hi', stdin: stdout, firstByteMs: 1 });
    while (!existsSync(done)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    assert.deepEqual(await reading, { prompt: 'Hi\n\npiped', notes: [] });
    await folder.dispose();
  });

  it('waits to the end once something came', async () => {
    const stdin = new PassThrough();
    const reading = read({ flag: 'Hi', stdin });
    stdin.write('first ');
    setImmediate(() => stdin.end('second'));
    assert.equal((await reading).prompt, 'Hi\n\nfirst second');
  });

  it('refuses endless input', async () => {
    const megabyte = Buffer.alloc(1024 * 1024, 'y\n');
    const endless = Readable.from(
      (function* () {
        for (;;) yield megabyte;
      })(),
    );
    await assert.rejects(read({ stdin: endless }), badInput(/^The input is too large/));
  });

  it('refuses input that cannot be read', async () => {
    const directory = new Readable({
      read: () => directory.destroy(new Error('EISDIR: illegal operation on a directory')),
    });
    await assert.rejects(read({ stdin: directory }), badInput(/^stdin could not be read/));
  });

  it('stops reading when interrupted', async () => {
    for (const flag of ['Hi', undefined]) {
      const interrupt = new AbortController();
      const reading = read({
        ...(flag !== undefined && { flag }),
        stdin: new PassThrough(),
        interrupted: interrupt.signal,
      });
      interrupt.abort();
      await assert.rejects(reading, { name: 'AbortError' });
    }
  });
});
