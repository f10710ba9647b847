import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { tempFolder } from '../support/temp-folder.ts';
import type { Transcript } from './transcript.ts';

export interface Output {
  readonly code: number | null;
  /** stdout and stderr. */
  readonly text: string;
}

/** What an agent left behind, for checks. Scripts run in the copy, but are not written there. */
export class Result {
  constructor(
    readonly folder: string,
    readonly transcript: Transcript,
    private readonly environment: Readonly<Record<string, string>>,
  ) {}

  /** The closing words of the last prompt. */
  get answer(): string {
    return this.transcript.answers.at(-1) ?? '';
  }

  /** Fails if the answer lacks one of these. */
  says(...wanted: readonly RegExp[]): void {
    for (const pattern of wanted) {
      if (!pattern.test(this.answer))
        throw new Error(`The answer does not match ${pattern}: ${this.answer.slice(0, 300)}`);
    }
  }

  read(path: string): Promise<string> {
    return readFile(join(this.folder, path), 'utf8');
  }

  /** Runs an ES module, and fails if it does. Imports such as `./src/app.mjs` are found in the copy. */
  node(script: string): Promise<string> {
    return this.succeed(process.execPath, ['--input-type=module', '-'], script);
  }

  /** The same for TypeScript. */
  async typescript(script: string): Promise<string> {
    const { outputFiles } = await build({
      stdin: { contents: script, resolveDir: this.folder, loader: 'ts' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      write: false,
      logLevel: 'silent',
    });
    return this.node(outputFiles[0]?.text ?? '');
  }

  python(script: string): Promise<string> {
    return this.succeed('python3', ['-B', '-'], `import sys\nsys.path.insert(0, '.')\n${script}`);
  }

  bash(script: string): Promise<string> {
    return this.succeed('bash', ['-s'], `set -euo pipefail\n${script}`);
  }

  /** Compiles and runs a Rust program that sees the library of the copy as `crate::subject`. */
  async rust(main: string, library = 'src/lib.rs'): Promise<string> {
    const out = await tempFolder('eval-rust');
    try {
      const program = join(out.path, 'check');
      const source = `#![allow(dead_code)]\n#[path = ${JSON.stringify(join(this.folder, library))}]\nmod subject;\n${main}`;
      await this.succeed('rustc', ['--edition', '2021', '-o', program, '-'], source);
      return await this.succeed(program, []);
    } finally {
      await out.dispose();
    }
  }

  /** Runs a Go test that the compiler sees in the package, although it isn't there. */
  async go(folder: string, test: string): Promise<string> {
    const out = await tempFolder('eval-go');
    try {
      const overlay = { Replace: { [join(this.folder, folder, 'hidden_eval_test.go')]: join(out.path, 'hidden.go') } };
      const write = `cat > ${out.path}/hidden.go <<'HIDDEN'\n${test}\nHIDDEN\n`;
      await this.bash(`${write}cat > ${out.path}/overlay.json <<'HIDDEN'\n${JSON.stringify(overlay)}\nHIDDEN\n`);
      // `go vet` doesn't know the overlay, so the tests run without it.
      const run = `go test -vet=off -count=1 -overlay ${out.path}/overlay.json ./${folder}`;
      return await this.bash(`go vet ./... && ${run}`);
    } finally {
      await out.dispose();
    }
  }

  async run(program: string, args: readonly string[], input = ''): Promise<Output> {
    const child = spawn(program, args, {
      cwd: this.folder,
      env: { ...this.environment, PYTHONDONTWRITEBYTECODE: '1' },
      timeout: CHECK_TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    // A script may end before it has read its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code: typeof code === 'number' ? code : null, text: out + error };
  }

  private async succeed(program: string, args: readonly string[], input = ''): Promise<string> {
    const { code, text: printed } = await this.run(program, args, input);
    if (code !== 0) throw new Error(`${program} ended with ${code}:\n${printed.slice(-2000)}`);
    return printed;
  }
}

/** Long enough for a compiler on a busy machine; an endless loop in a solution ends here. */
const CHECK_TIMEOUT_MS = 120_000;
