import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { openInBrowser } from './support/open-browser.ts';
import { print } from './support/output.ts';
import { repoRoot } from './support/repo.ts';
import { describeError } from './support/reporter.ts';
import { copySampleWorkspace } from './support/sample-workspace.ts';
import { tempFolder } from './support/temp-folder.ts';
import { startVsCode } from './support/vscode/server.ts';

const onWindows = process.platform === 'win32';

/** A window that opens shows the chat at once. */
const OPEN_CHAT = join(repoRoot, 'test', 'fixtures', 'open-chat');

function hasDesktopCode(): boolean {
  return spawnSync('code', ['--version'], { shell: onWindows, stdio: 'ignore' }).status === 0;
}

function openInDesktopCode(folder: string, home: string): void {
  print(`Gantry opens in an extension development host on ${folder}`);
  const args = [
    '--wait',
    '--new-window',
    `--extensionDevelopmentPath=${repoRoot}`,
    `--extensionDevelopmentPath=${OPEN_CHAT}`,
    '--disable-workspace-trust',
    folder,
  ];
  const env = { ...process.env, GANTRY_HOME: join(home, '.gantry'), GEMINI_CLI_HOME: join(home, 'home') };
  spawnSync('code', args, { shell: onWindows, stdio: 'inherit', env });
}

async function serve(folder: string): Promise<void> {
  const server = await startVsCode({ release: 'newest', trust: 'all', keepCredentials: true, extensions: [OPEN_CHAT] });
  const url = server.urlFor({ folder });
  print(`Gantry runs in VS Code at ${url}`);
  print(
    openInBrowser(url)
      ? 'It opens in your browser. Press Ctrl+C to stop.'
      : 'Open this address in a browser. Press Ctrl+C to stop.',
  );
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
