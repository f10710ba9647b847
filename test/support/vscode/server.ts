import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../poll.ts';
import { tempFolder } from '../temp-folder.ts';
import { cleanEnvironment } from './environment.ts';
import { ensureVsCode } from './install.ts';
import { installExtension } from './install-extension.ts';
import { linkExtension, stageExtension, useTestTools } from './layout.ts';
import { readLogs } from './logs.ts';
import { type ProcessGroup, spawnGroup } from './process-group.ts';
import { type Release, recipes } from './releases.ts';

export interface VsCodeOptions {
  readonly release: Release;
  /** `all`: every folder is trusted. `ask`: windows open in Restricted Mode until the user grants trust. */
  readonly trust: 'all' | 'ask';
  /** Supports `payload` (mocha in the extension host), and makes modal dialogs throw instead of showing. */
  readonly smokeTestDriver?: boolean;
  /** Added to a clean environment: no Gemini or Google credentials of the developer reach the extension host. */
  readonly env?: Readonly<Record<string, string>>;
  /** Passes the surrounding environment unchanged, for people who want to use their own key. */
  readonly keepCredentials?: boolean;
  /** User settings, by key; see `writeUserSettings`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Runs the agent with the additional tools of `test/support/runtime-with-tools.ts`. */
  readonly tools?: boolean;
  /** The folders of further extensions, which are linked unchanged. */
  readonly extensions?: readonly string[];
  /** The repository of the extension under test; this one by default. */
  readonly extensionRoot?: string;
  /** A package of the extension under test, which is installed as a user does it. */
  readonly vsix?: string;
  /** 0, the default, lets the system choose. */
  readonly port?: number;
}

export interface WindowTarget {
  readonly folder?: string;
  /** The path of a `.code-workspace` file. */
  readonly workspace?: string;
  readonly payload?: readonly (readonly [string, string])[];
}

export interface VsCodeServer {
  /** Such as `http://127.0.0.1:41234`. */
  readonly origin: string;
  readonly release: Release;
  /** The server's own folder: logs, user settings, global storage. */
  readonly dataDir: string;
  /** The folder of the extension under test. */
  readonly extensionPath: string;
  /** Replaces the user's home: the folder whose `.gemini` contains their rules, hooks and memory. */
  readonly geminiHome: string;
  urlFor(target?: WindowTarget): string;
  /** Replaces the user settings, for windows that are opened or reloaded afterwards. */
  writeUserSettings(settings: Readonly<Record<string, unknown>>): Promise<void>;
  /** All logs of the extension hosts that changed since then, including those of output channels. */
  extensionHostLog(since?: Date): Promise<string>;
  /** Only Gantry's output channels. */
  extensionLog(since?: Date): Promise<string>;
  dispose(): Promise<void>;
}

/**
 * Quiet defaults, so that a window shows the product and not VS Code's own greetings, and opens faster: without git, a
 * window takes a fifth less processor time. A suite's own settings override these.
 */
const quietSettings: Readonly<Record<string, unknown>> = {
  'chat.commandCenter.enabled': false,
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  // VS Code in the browser saves automatically; on the desktop, the user saves.
  'files.autoSave': 'off',
  'git.enabled': false,
  'security.workspace.trust.startupPrompt': 'never',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'window.autoDetectColorScheme': false,
  'window.commandCenter': false,
  // As a modal dialog, the trust editor would prevent the command palette from opening.
  'workbench.editor.useModal': 'off',
  'workbench.enableExperiments': false,
  // A webview takes the focus when it has loaded, and would close the palette while a test uses it.
  'workbench.quickOpen.closeOnFocusLost': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
};

/** Starts took 1 to 2 s; a cold disk on two busy cores is slower. */
const startTimeoutMs = 60_000;

export async function startVsCode(options: VsCodeOptions): Promise<VsCodeServer> {
  const install = await ensureVsCode(options.release);
  const home = await tempFolder('vscode');
  const dataDir = join(home.path, 'data');
  const extensionsDir = join(home.path, 'extensions');
  const extensionPath =
    options.vsix === undefined
      ? await stageExtension(extensionsDir, options.extensionRoot)
      : await installExtension(install, options.vsix, { dataDir, extensionsDir });
  if (options.tools === true) {
    await useTestTools(extensionPath);
  }
  for (const extension of options.extensions ?? []) {
    await linkExtension(extensionsDir, extension);
  }
  const settings = (given: Readonly<Record<string, unknown>>): Promise<void> =>
    writeUserSettings(dataDir, { 'workbench.colorTheme': recipes[options.release].darkTheme, ...given });
  await settings(options.settings ?? {});

  // Lasts as long as the user data: a reloaded window finds its sessions and rules. The developer's are not touched.
  const geminiHome = join(home.path, 'home');
  const given = { GANTRY_HOME: join(home.path, '.gantry'), GEMINI_CLI_HOME: geminiHome, ...options.env };
  const group = spawnGroup(
    install.node,
    [install.serverMain, ...serverArguments(options, dataDir, extensionsDir)],
    options.keepCredentials === true ? { ...process.env, ...given } : cleanEnvironment(given),
    // The installed extension must not find anything in the repository.
    options.vsix === undefined ? undefined : home.path,
  );
  const dispose = async (): Promise<void> => {
    await group.kill();
    await home.dispose();
  };
  let origin: string;
  try {
    origin = `http://127.0.0.1:${await listeningPort(group)}`;
  } catch (error) {
    await dispose();
    throw error;
  }
  const logs = join(dataDir, 'data', 'logs');
  return {
    origin,
    release: options.release,
    dataDir,
    extensionPath,
    geminiHome,
    urlFor: (target = {}) => windowUrl(origin, target),
    writeUserSettings: settings,
    extensionHostLog: (since) => readLogs(logs, /exthost/, since),
    extensionLog: (since) =>
      readLogs(logs, /exthost[^/\\]*[/\\](output_logging[^/\\]*|gantry\.gantry)[/\\].*\.log$/i, since),
    dispose,
  };
}

function serverArguments(options: VsCodeOptions, dataDir: string, extensionsDir: string): string[] {
  return [
    ...['--host', '127.0.0.1', '--port', String(options.port ?? 0), '--without-connection-token'],
    ...['--server-data-dir', dataDir, '--extensions-dir', extensionsDir],
    ...['--accept-server-license-terms', '--telemetry-level', 'off'],
    ...(options.trust === 'all' ? ['--disable-workspace-trust'] : []),
    ...(options.smokeTestDriver === true ? ['--enable-smoke-test-driver'] : []),
  ];
}

/**
 * User settings of every scope, including application and machine, are read from the server's
 * `data/User/settings.json`: code-server keeps user data there and not in the browser. Seen in 1.100.3 and 1.139.1. An
 * open window does not notice a change of the file (the event does not reach it, in both), and writes to it itself.
 */
async function writeUserSettings(dataDir: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
  const folder = join(dataDir, 'data', 'User');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'settings.json'), JSON.stringify({ ...quietSettings, ...settings }, undefined, 2));
}

async function listeningPort({ child }: ProcessGroup): Promise<number> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const port = await eventually(
    'VS Code to listen',
    () => {
      const match = /listening on (\d+)/.exec(output)?.[1];
      return match ?? (child.exitCode !== null || child.signalCode !== null ? 'gone' : undefined);
    },
    { timeoutMs: startTimeoutMs },
  ).catch((error: unknown) => {
    throw new Error(`VS Code did not start:\n${output}`, { cause: error });
  });
  if (port === 'gone') {
    throw new Error(`VS Code ended before it listened (exit code ${child.exitCode}):\n${output}`);
  }
  // Keep reading, so that the pipe does not fill. The text itself is no longer needed.
  child.stdout?.removeAllListeners('data').resume();
  child.stderr?.removeAllListeners('data').resume();
  return Number(port);
}

function windowUrl(origin: string, { folder, workspace, payload }: WindowTarget): string {
  const url = new URL('/', origin);
  if (folder !== undefined) {
    url.searchParams.set('folder', folder);
  } else if (workspace !== undefined) {
    url.searchParams.set('workspace', workspace);
  } else {
    url.searchParams.set('ew', 'true');
  }
  if (payload !== undefined) {
    url.searchParams.set('payload', JSON.stringify(payload));
  }
  return url.href;
}
