import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { print } from './support/output.ts';
import { repoRoot } from './support/repo.ts';
import { describeError } from './support/reporter.ts';
import { copySampleWorkspace } from './support/sample-workspace.ts';
import { tempFolder } from './support/temp-folder.ts';
import { startVsCode } from './support/vscode/server.ts';

const onWindows = process.platform === 'win32';

/** The program that opens a URL in the user's browser, when there is a desktop to show it on. */
function opener(): readonly string[] | undefined {
  switch (process.platform) {
    case 'darwin':
      return ['open'];
    case 'win32':
      return ['cmd', '/c', 'start', ''];
    default: {
      const hasDesktop = process.env['DISPLAY'] !== undefined || process.env['WAYLAND_DISPLAY'] !== undefined;
      return hasDesktop ? ['xdg-open'] : undefined;
    }
  }
}

function hasDesktopCode(): boolean {
  return spawnSync('code', ['--version'], { shell: onWindows, stdio: 'ignore' }).status === 0;
}

function openInDesktopCode(folder: string, home: string): void {
  print(`Gantry opens in an extension development host on ${folder}`);
  const args = [
    '--wait',
    '--new-window',
    `--extensionDevelopmentPath=${repoRoot}`,
    '--disable-workspace-trust',
    folder,
  ];
  const env = { ...process.env, GANTRY_HOME: join(home, '.gantry'), GEMINI_CLI_HOME: join(home, 'home') };
  spawnSync('code', args, { shell: onWindows, stdio: 'inherit', env });
}

function openInBrowser(url: string): void {
  const [program, ...args] = opener() ?? [];
  if (program !== undefined) {
    const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
    child.on('error', (error) => print(`The browser could not be opened: ${error.message}`));
    child.unref();
  }
}

async function serve(folder: string): Promise<void> {
  const server = await startVsCode({ release: 'newest', trust: 'all', keepCredentials: true });
  print(`Gantry runs in VS Code at ${server.urlFor({ folder })}`);
  print('Open the Gantry icon in the activity bar. Press Ctrl+C to stop.');
  openInBrowser(server.urlFor({ folder }));
}

async function main(): Promise<void> {
  // Before anything else listens: Ctrl+C is how this program ends well. VS Code and the folders go with the process.
  process.once('SIGINT', () => process.exit(0));
  const workspace = await copySampleWorkspace();
  if (hasDesktopCode()) {
    openInDesktopCode(workspace.path, (await tempFolder('home')).path);
  } else {
    await serve(workspace.path);
  }
}

main().catch((error: unknown) => {
  print(describeError(error));
  process.exit(1);
});
