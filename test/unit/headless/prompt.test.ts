import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { describe, it } from 'mocha';
import { readPrompt, type Stdin } from '../../../extension/headless/prompt.ts';
import { ProblemError } from '../../../extension/protocol/agent/problem.ts';
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
  const given = await readPrompt({ flag, stdin, interrupted, firstByteMs, note: (text) => notes.push(text) });
  const { words, piped: bytes } = given ?? {};
  return { given: [words, bytes && Buffer.from(bytes).toString('utf8')], notes };
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
  const prompts: readonly {
    readonly name: string;
    readonly sources: () => Sources;
    readonly given: readonly (string | undefined)[];
  }[] = [
    { name: 'the flag', sources: () => ({ flag: 'Hi' }), given: ['Hi', undefined] },
    { name: 'the flag at a terminal', sources: () => ({ flag: 'Hi', stdin: terminal() }), given: ['Hi', undefined] },
    { name: 'stdin', sources: () => ({ stdin: piped('Hi ', 'there\n') }), given: [undefined, 'Hi there\n'] },
    { name: 'stdin after an empty flag', sources: () => ({ flag: ' ', stdin: piped('Hi') }), given: [undefined, 'Hi'] },
    { name: 'both', sources: () => ({ flag: 'Review', stdin: piped('a\nb\r\n') }), given: ['Review', 'a\nb\r\n'] },
    {
      name: 'the flag when stdin is blank',
      sources: () => ({ flag: 'Hi', stdin: piped(' \n') }),
      given: ['Hi', undefined],
    },
    { name: 'nothing at a terminal', sources: () => ({ stdin: terminal() }), given: [undefined, undefined] },
    { name: 'nothing with empty stdin', sources: () => ({ stdin: piped() }), given: [undefined, undefined] },
    { name: 'nothing with blank stdin', sources: () => ({ stdin: piped('\n \n') }), given: [undefined, undefined] },
  ];
  for (const { name, sources, given } of prompts) {
    it(`is ${name}`, async () => {
      assert.deepEqual(await read(sources()), { given, notes: [] });
    });
  }

  it('does not wait for ever for an addition from a pipe that stays open, and says so', async () => {
    const stdin = new PassThrough();
    const { given, notes } = await read({ flag: 'Hi', stdin, firstByteMs: 1 });
    assert.deepEqual(given, ['Hi', undefined]);
    assert.match(notes.join(), /No input arrived on stdin/);
    assert.ok(stdin.destroyed, 'an open pipe would keep the process alive');
  });

  it('sees what came while the process was busy', async () => {
    const folder = await tempFolder('stdin');
    const done = join(folder.path, 'done');
    const { stdout } = spawn('sh', ['-c', 'printf piped; : > "$0"', done], { stdio: ['ignore', 'pipe', 'ignore'] });
    const reading = read({ flag: 'Hi', stdin: stdout, firstByteMs: 1 });
    while (!existsSync(done)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    assert.deepEqual(await reading, { given: ['Hi', 'piped'], notes: [] });
    await folder.dispose();
  });

  it('waits to the end once something came', async () => {
    const stdin = new PassThrough();
    const reading = read({ flag: 'Hi', stdin });
    stdin.write('first ');
    setImmediate(() => stdin.end('second'));
    assert.deepEqual((await reading).given, ['Hi', 'first second']);
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
