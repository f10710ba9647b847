import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../command.ts';
import { cleanEnvironment } from './environment.ts';
import type { VsCodeInstall } from './install.ts';

/** Installs a VSIX as `code --install-extension` does, and returns the folder of the installed extension. */
export async function installExtension(
  { node, serverMain }: VsCodeInstall,
  vsix: string,
  { dataDir, extensionsDir }: { readonly dataDir: string; readonly extensionsDir: string },
): Promise<string> {
  await mkdir(extensionsDir, { recursive: true });
  const folders = ['--server-data-dir', dataDir, '--extensions-dir', extensionsDir];
  const args = [serverMain, ...folders, '--accept-server-license-terms', '--install-extension', vsix];
  const output = await runCommand(node, args, { cwd: extensionsDir, env: cleanEnvironment() });
  const installed = (await readdir(extensionsDir)).find((name) => name.startsWith('gantry.gantry-'));
  if (installed === undefined) throw new Error(`VS Code did not install ${vsix}:\n${output}`);
  return join(extensionsDir, installed);
}
