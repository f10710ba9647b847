import { lstatSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorText } from '../base/errors.ts';
import type { FindNamed } from '../policy/protected-paths.ts';
import type { SandboxSettings } from '../ports/settings.ts';
import type { Confinement, ProgramStart } from '../ports/shell.ts';
import type { Resolve } from '../tools/web/pinned-socket.ts';
import { blockedPaths, mayBeOpened, type OpeningLimits } from './blocked-paths.ts';
import { bubblewrapStart, TEMPORARY } from './bubblewrap.ts';
import { protectedIn } from './git-places.ts';
import { makePolicy, type PolicyWish } from './make-policy.ts';
import { Placeholders, removeLeft, writeRecord } from './placeholders.ts';
import { RecentlyFound } from './protected-places.ts';
import { type NetworkLease, proxyEnvironment, SandboxNetwork } from './sandbox-network.ts';
import type { SandboxPolicy } from './sandbox-policy.ts';
import { findSandbox, type SandboxSupport, type SandboxTool } from './sandbox-support.ts';
import { seatbeltProfile } from './seatbelt.ts';
import { secretPlaces, withoutSockets } from './secret-places.ts';

/** The default without settings, as in tests and for hosts of other extensions: nothing is confined. */
export const NO_SANDBOX: SandboxSettings = { mode: 'off', autoAllow: false, folders: [], network: [] };

export interface ConfineWish {
  /** Absolute. */
  readonly roots: readonly string[];
  /** Absolute. Folders that the user opened to commands, in addition to those in the settings. */
  readonly folders?: readonly string[];
  /** Commands can't change anything. */
  readonly readOnly: boolean;
  /** Hosts that the command may reach, in addition to those in the settings. */
  readonly hosts?: readonly string[];
  /** The command may use the machine's network without limits. */
  readonly openNetwork?: boolean;
  /** The program runs as long as the window, so no placeholders are created in the workspace. */
  readonly stays?: boolean;
  /** Absolute. The folder in which downloaded packages are kept. */
  readonly cache?: string;
}

export interface SandboxParts {
  readonly settings: () => SandboxSettings;
  readonly environment: () => Readonly<Record<string, string | undefined>>;
  /** Absolute. Paths that commands must not read, in addition to the usual places, such as our own folders. */
  readonly secrets: () => readonly string[];
  readonly home?: string;
  readonly find?: () => Promise<SandboxSupport>;
  /** Resolves the hosts that commands may reach. */
  readonly resolve?: Resolve;
}

/**
 * Confines commands with what the operating system offers. There is one instance per window, which tests only once
 * whether it works.
 */
export class Sandbox {
  /** Undefined until the sandbox was tested. */
  known: SandboxSupport | undefined;
  private trying: Promise<SandboxSupport> | undefined;
  private own: Promise<OwnFolder> | undefined;
  private readonly placeholders = new Placeholders(async (put) => writeRecord((await this.ownFolder()).folder, put));
  readonly protectedFiles = new RecentlyFound();
  readonly named: FindNamed = (root) => protectedIn(root, this.protectedFiles.find);
  private readonly network: SandboxNetwork;

  constructor(private readonly parts: SandboxParts) {
    this.network = new SandboxNetwork(parts.resolve);
  }

  /** Whether commands are confined here: the tool, or the reason why not. Undefined if the sandbox is turned off. */
  async wanted(): Promise<SandboxSupport | undefined> {
    return this.parts.settings().mode === 'off' ? undefined : this.support();
  }

  support(): Promise<SandboxSupport> {
    this.trying ??= (this.parts.find ?? findSandbox)().then((support) => {
      this.known = support;
      return support;
    });
    return this.trying;
  }

  /** Confines one command. Throws if there is no sandbox, or if the places to protect can't be determined. */
  async confine(wish: ConfineWish): Promise<Confinement> {
    const { roots, folders = [], readOnly, hosts = [], openNetwork = false, stays = false, cache } = wish;
    const support = await this.support();
    if ('missing' in support) throw new Error(support.missing);
    const { tool } = support;
    const { home = homedir(), environment, settings, secrets } = this.parts;
    const own = await this.ownFolder();
    if (cache !== undefined) await mkdir(cache, { recursive: true });
    const wanted: PolicyWish = {
      roots: roots.filter((root) => root !== '/'),
      folders: [...settings().folders, ...folders, ...(cache === undefined ? [] : [cache])].filter(
        (folder) => folder !== '/',
      ),
      readOnly,
      stays,
      home,
      secrets: secrets(),
      environment: environment(),
    };
    const [{ places, placeholders, gaps }, network] = await Promise.all([
      makePolicy(wanted, this.placeholders, this.protectedFiles.find),
      openNetwork ? undefined : this.lease(tool, own, [...settings().network, ...hosts]),
    ]);
    const lease = network && !('missing' in network) ? network : undefined;
    const policy: SandboxPolicy = { places, temp: own.temp, route: lease?.route, openNetwork, cache };
    let released: Promise<void> | undefined;
    return {
      kind: tool.kind,
      gaps,
      // In plan mode, everything is closed, which needn't be reported.
      blocked: async (named) =>
        readOnly ? { paths: [] } : blockedPaths(named, { ...(await this.limits()), places, temps: tempsOf(tool, own) }),
      network: () => (network && 'missing' in network ? network : { refused: network?.refused ?? [] }),
      wrap: (start) => wrap(tool, policy, own, start, lease),
      release: () => {
        lease?.end();
        released ??= this.placeholders.release(placeholders);
        return released;
      },
    };
  }

  /** Whether the user may open this folder to commands with one click. */
  async mayOpen(folder: string): Promise<boolean> {
    const real = await realpath(folder).catch(() => undefined);
    return real === folder && isFolder(real) && mayBeOpened(real, await this.limits());
  }

  /** Places that stay closed, whatever the user selects. */
  private async limits(): Promise<OpeningLimits> {
    const { home = homedir(), environment, secrets } = this.parts;
    const named = [...secretPlaces(home, environment()), ...secrets()];
    const real = await Promise.all([home, ...named].map((path) => realpath(path).catch(() => path)));
    return { home: real[0] ?? home, secrets: [...named, ...real.slice(1)] };
  }

  async dispose(): Promise<void> {
    await this.network.dispose();
    const own = await this.own?.catch(() => undefined);
    if (own) await rm(own.folder, { recursive: true, force: true });
  }

  /** A command also runs without a network, because most need none. */
  private lease(
    tool: SandboxTool,
    { folder }: OwnFolder,
    hosts: readonly string[],
  ): Promise<NetworkLease | { readonly missing: string }> {
    return this.network.lease(tool, folder, hosts).catch((error: unknown) => ({ missing: errorText(error) }));
  }

  private ownFolder(): Promise<OwnFolder> {
    this.own ??= makeOwnFolder();
    return this.own;
  }
}

/** Shared by all commands of a window: files that a command leaves in the temporary folder stay for the next one. */
interface OwnFolder {
  readonly folder: string;
  readonly temp: string;
  readonly emptyFile: string;
}

const OWN = 'gantry-sandbox-';
/** More than the number of windows that are killed before the next one starts. */
const MAX_LEFT = 20;

async function makeOwnFolder(): Promise<OwnFolder> {
  const names = await readdir(tmpdir()).catch(() => []);
  const others = names.filter((name) => name.startsWith(OWN)).slice(0, MAX_LEFT);
  await Promise.all(others.map((name) => removeLeft(join(tmpdir(), name)).catch(() => undefined)));
  const folder = await realpath(await mkdtemp(join(tmpdir(), OWN)));
  await writeRecord(folder, []);
  const temp = join(folder, 'tmp');
  const emptyFile = join(folder, 'empty');
  await mkdir(temp);
  await writeFile(emptyFile, '', { mode: 0o400 });
  return { folder, temp, emptyFile };
}

/** In a shell, ignored signals stay ignored in the programs that it starts. */
const SIGNALS = 'INT,QUIT,TERM,HUP';
const DEAF = `trap '' ${SIGNALS.replaceAll(',', ' ')}; exec "$@"`;

function wrap(
  tool: SandboxTool,
  policy: SandboxPolicy,
  own: OwnFolder,
  { file, args, folder, environment: base }: ProgramStart,
  network: NetworkLease | undefined,
): ProgramStart {
  const environment = {
    ...withoutSockets(base),
    ...inside(tool, policy),
    ...(network && proxyEnvironment(network)),
  };
  if (tool.kind === 'seatbelt') {
    return { file: tool.file, args: ['-p', seatbeltProfile(policy), file, ...args], folder, environment };
  }
  const held = bubblewrapStart(tool.file, policy, { folder, emptyFile: own.emptyFile, isFolder });
  if (!tool.resetsSignals) {
    const [first = tool.file, ...rest] = held;
    return { file: first, args: [...rest, file, ...args], folder, environment };
  }
  // Ctrl+C and Stop are for the command. Without this, the sandbox program would end, and all of the command with it.
  const program = ['/usr/bin/env', `--default-signal=${SIGNALS}`, file, ...args];
  return { file: '/bin/sh', args: ['-c', DEAF, 'sh', ...held, ...program], folder, environment };
}

/** Caches in the home folder are read-only, so these variables name writable ones. Other tools need settings. */
function inside({ kind }: SandboxTool, { temp, cache }: SandboxPolicy): Readonly<Record<string, string>> {
  const folder = kind === 'bubblewrap' ? '/tmp' : temp;
  return {
    GANTRY_SANDBOX: kind,
    TMPDIR: folder,
    XDG_CACHE_HOME: join(cache ?? folder, '.cache'),
    npm_config_cache: join(cache ?? folder, '.npm'),
  };
}

/** Folders that every command may change in addition to its places. */
function tempsOf({ kind }: SandboxTool, { temp }: OwnFolder): readonly string[] {
  return kind === 'bubblewrap' ? TEMPORARY : [temp];
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
