import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { distDir } from '../support/dist.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { ensureVsCode } from '../support/vscode/install.ts';
import { ANSWER } from './endpoint-answer.ts';
import type { Figures } from './measurement.ts';
import { installPeer } from './peers.ts';
import { forkModel } from './processes.ts';
import { MODEL } from './production-runtime.ts';

/** A command line for agents of ACP, which needs Node 22. */
const ACPX = { npmPackage: 'acpx', version: '0.19.1' };
export const ACPX_NAME = `acpx ${ACPX.version}`;

const FILE = 'made.txt';
const TEXT = 'by the agent';

/**
 * Prompts that acpx gives to `gantry acp`: in a session of their own, and in one that later prompts continue. Each asks
 * whether it may write a file, which acpx allows. Fails if anything of that doesn't happen.
 */
export async function measureAcpx(): Promise<Figures> {
  const folder = await installPeer(ACPX);
  const { node } = await ensureVsCode('newest');
  const [workspace, home] = [await tempFolder('bench-work'), await tempFolder('bench-home')];
  const write = JSON.stringify({ file_path: FILE, content: TEXT });
  const model = await forkModel('model-server', 'turns', 'write_file', write);
  const agent = [process.execPath, join(distDir, 'headless.js'), 'acp', '--trust', '--model', MODEL].join(' ');
  const env = {
    PATH: process.env['PATH'],
    HOME: home.path,
    GANTRY_HOME: home.path,
    GEMINI_API_KEY: 'test-key',
    GOOGLE_GEMINI_BASE_URL: model.url,
  };
  const acpx = async (...args: readonly string[]): Promise<string> => {
    const options = ['--agent', agent, '--cwd', workspace.path, '--approve-all', '--format', 'quiet'];
    const { stdout } = await promisify(execFile)(node, [join(folder, 'dist/cli.js'), ...options, ...args], { env });
    return stdout;
  };
  const prompted = async (...args: readonly string[]): Promise<number> => {
    const begin = performance.now();
    const said = await acpx(...args);
    if (!said.includes(ANSWER.join('').trim())) throw new Error(`${args.join(' ')} was answered with ${said}`);
    return performance.now() - begin;
  };
  try {
    const alone = await prompted('exec', 'Write it');
    const written = await readFile(join(workspace.path, FILE), 'utf8');
    if (written !== TEXT) throw new Error(`The file has "${written}".`);
    await acpx('sessions', 'new');
    const figures = { alone, first: await prompted('prompt', 'Write it'), later: await prompted('prompt', 'Write it') };
    // Ends the process that holds the session for later prompts.
    await acpx('sessions', 'close');
    return figures;
  } finally {
    model.child.disconnect();
    for (const part of [workspace, home]) await part.dispose();
  }
}
