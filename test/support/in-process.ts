import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCommand } from '../../extension/headless/command.ts';
import type { HeadlessOptions, HeadlessResult } from './headless.ts';
import { testHost } from './test-host.ts';

/** The command line without a process of its own: the same from arguments to exit code, with pipes around it. */
export async function commandInProcess(
  args: readonly string[],
  { cwd = process.cwd(), environment = {}, stdin = '' }: HeadlessOptions & { readonly stdin?: string } = {},
): Promise<HeadlessResult> {
  const host = testHost({ environment });
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const printed = Promise.all([text(stdout), text(stderr)]);
  const code = await runCommand(args, {
    version: '0.0.0',
    cwd,
    environment: host.environment,
    assets: host.assets,
    stdin: Readable.from(stdin === '' ? [] : [Buffer.from(stdin)]),
    stdout,
    stderr,
    interrupted: new AbortController().signal,
  });
  stdout.end();
  stderr.end();
  const [out, error] = await printed;
  return { code, stdout: out, stderr: error };
}
