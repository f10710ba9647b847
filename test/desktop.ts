import { join } from 'node:path';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { print } from './support/output.ts';
import { cacheDir, repoRoot } from './support/repo.ts';
import { describeError } from './support/reporter.ts';
import { copySampleWorkspace } from './support/sample-workspace.ts';
import { tempFolder } from './support/temp-folder.ts';
import { cleanEnvironment } from './support/vscode/environment.ts';
import { stageExtension } from './support/vscode/layout.ts';

/** The newest desktop VS Code, and the oldest that `engines.vscode` allows. */
const versions: readonly string[] = ['stable', '1.100.0'];

async function download(version: string): Promise<string | undefined> {
  try {
    return await downloadAndUnzipVSCode({ version, cachePath: join(cacheDir, 'desktop') });
  } catch (error) {
    print(`Desktop VS Code ${version} cannot be downloaded on this machine: ${describeError(error)}`);
    print('The same suites run without that download in the VS Code that npm carries: npm test -- --only host');
    return undefined;
  }
}

async function runIn(executable: string): Promise<boolean> {
  const home = await tempFolder('desktop');
  const workspace = await copySampleWorkspace();
  try {
    const exitCode = await runTests({
      vscodeExecutablePath: executable,
      extensionDevelopmentPath: await stageExtension(join(home.path, 'extensions')),
      extensionTestsEnv: { GANTRY_HOME: join(home.path, '.gantry'), GEMINI_CLI_HOME: join(home.path, 'home') },
      extensionTestsPath: join(repoRoot, 'out', 'test', 'host', 'index'),
      launchArgs: [workspace.path, '--disable-workspace-trust', '--user-data-dir', join(home.path, 'user')],
    });
    return exitCode === 0;
  } catch (error) {
    print(describeError(error));
    return false;
  } finally {
    await home.dispose();
    await workspace.dispose();
  }
}

/** test-electron hands this process's environment on, and a developer's key must not be used. */
function cleanOwnEnvironment(): void {
  const clean = cleanEnvironment();
  for (const name of Object.keys(process.env)) {
    if (!(name in clean)) {
      delete process.env[name];
    }
  }
}

async function main(): Promise<void> {
  cleanOwnEnvironment();
  let failed = 0;
  for (const version of versions) {
    print(`\n▶ desktop VS Code ${version}`);
    const executable = await download(version);
    const passed = executable !== undefined && (await runIn(executable));
    print(`${passed ? '✓' : '✗'} desktop VS Code ${version}`);
    failed += passed ? 0 : 1;
  }
  process.exit(failed > 0 ? 1 : 0);
}

main().catch((error: unknown) => {
  print(describeError(error));
  process.exit(1);
});
