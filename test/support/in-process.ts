import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCommand } from '../../extension/headless/command.ts';
import { version } from '../../package.json';
import type { HeadlessOptions, HeadlessResult } from './headless.ts';
import { tempFolder } from './temp-folder.ts';
import { testHost } from './test-host.ts';

/** Runs the command line without a process of its own: the same from arguments to exit code, with pipes. */
export async function commandInProcess(
  args: readonly string[],
  { cwd, environment = {}, stdin = '' }: Omit<HeadlessOptions, 'stdin'> & { readonly stdin?: string | Uint8Array } = {},
): Promise<HeadlessResult> {
  const home = await tempFolder('home');
  const own = {
    PATH: process.env['PATH'] ?? '',
    GANTRY_HOME: home.path,
    GEMINI_CLI_HOME: home.path,
    GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(home.path, 'system.json'),
  };
  const host = testHost({ environment: { ...own, ...environment } });
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const printed = Promise.all([text(stdout), text(stderr)]);
  try {
    const code = await runCommand(args, {
      version,
      cwd: cwd ?? home.path,
      environment: host.environment,
      assets: host.assets,
      stdin: Readable.from(stdin.length === 0 ? [] : [Buffer.from(stdin)]),
      stdout,
      stderr,
      interrupted: new AbortController().signal,
    });
    stdout.end();
    stderr.end();
    const [out, error] = await printed;
    return { code, stdout: out, stderr: error };
  } finally {
    await home.dispose();
  }
}
