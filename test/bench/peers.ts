import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unpackNpmPackage } from '../support/cache/npm-package.ts';
import { runNpm } from '../support/command.ts';
import { repoRoot } from '../support/repo.ts';
import { type Command, type Place, PROMPT, type Program } from './conversation.ts';
import { MODEL } from './production-runtime.ts';

/** Another agent, in the version that Gantry was compared with. */
interface Peer {
  readonly name: string;
  readonly npmPackage: string;
  readonly version: string;
  /** Its command, and what its documentation says to write into its home for another endpoint and no other traffic. */
  command(folder: string, place: Place): Promise<Command>;
}

const PEERS: readonly Peer[] = [
  {
    name: 'pi',
    npmPackage: '@mariozechner/pi-coding-agent',
    version: '0.73.1',
    command: async (folder, { url, home }) => {
      const google = { baseUrl: `${url}/v1beta`, apiKey: 'test-key' };
      await write(home, '.pi/agent/models.json', JSON.stringify({ providers: { google } }));
      const args = ['--print', '--offline', '--provider', 'google', '--model', MODEL, PROMPT];
      return { program: process.execPath, args: [join(folder, 'dist/cli.js'), ...args] };
    },
  },
  {
    name: 'Codex',
    npmPackage: '@openai/codex',
    version: '0.169.0',
    command: async (folder, { url, home }) => {
      const config = [
        // Later models get their tools in another way than the Responses API has it.
        'model = "gpt-5-codex"',
        'model_provider = "bench"',
        'check_for_update_on_startup = false',
        '[analytics]\nenabled = false',
        `[model_providers.bench]\nname = "bench"\nbase_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "BENCH_KEY"`,
      ];
      await write(home, '.codex/config.toml', config.join('\n'));
      const args = ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', PROMPT];
      return { program: await nativeCodex(folder), args, env: { BENCH_KEY: 'test-key' } };
    },
  },
  {
    name: 'Gemini CLI',
    npmPackage: '@google/gemini-cli',
    version: '0.61.0',
    command: async (folder, { url, home }) => {
      const settings = {
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        security: { auth: { selectedType: 'gemini-api-key' } },
      };
      await write(home, '.gemini/settings.json', JSON.stringify(settings));
      const args = [join(folder, 'bundle/gemini.js'), '-m', MODEL, '--approval-mode', 'yolo', '-p', PROMPT];
      const env = { GEMINI_API_KEY: 'test-key', GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: 'true' };
      return { program: process.execPath, args, env };
    },
  },
];

/** The peers as programs. They are installed with npm into a cache; what cannot be installed fails when it is started. */
export function peerPrograms(): readonly Program[] {
  return PEERS.map((peer) => ({
    name: `${peer.name} ${peer.version}`,
    command: async (place) => peer.command(await installPeer(peer), place),
  }));
}

export async function installPeer({ npmPackage, version }: Pick<Peer, 'npmPackage' | 'version'>): Promise<string> {
  const cache = cacheOf(npmPackage, version);
  const folder = join(cache, 'node_modules', npmPackage);
  if (await isThere(join(folder, 'package.json'))) return folder;
  await mkdir(cache, { recursive: true });
  await writeFile(join(cache, 'package.json'), '{ "private": true }');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact'];
  await runNpm(['install', '--prefix', cache, ...options, `${npmPackage}@${version}`], cache);
  return folder;
}

/** The same for a package that needs no other packages. */
export async function unpackPeer({ npmPackage, version }: Pick<Peer, 'npmPackage' | 'version'>): Promise<string> {
  const folder = cacheOf(npmPackage, version);
  if (!(await isThere(join(folder, 'package.json')))) await unpackNpmPackage(`${npmPackage}@${version}`, folder);
  return folder;
}

function cacheOf(npmPackage: string, version: string): string {
  return join(repoRoot, 'node_modules/.cache/bench-peers', `${npmPackage.replaceAll('/', '-')}-${version}`);
}

/** The program itself: what npm links to only starts it, and would count as its memory. */
async function nativeCodex(folder: string): Promise<string> {
  const vendor = join(folder, '..', `codex-${process.platform}-${process.arch}`, 'vendor');
  const [target = ''] = await readdir(vendor);
  return join(vendor, target, 'bin', process.platform === 'win32' ? 'codex.exe' : 'codex');
}

async function write(home: string, path: string, text: string): Promise<void> {
  await mkdir(join(home, path, '..'), { recursive: true });
  await writeFile(join(home, path), text);
}

async function isThere(path: string): Promise<boolean> {
  return readFile(path).then(
    () => true,
    () => false,
  );
}
