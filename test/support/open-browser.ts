import { spawn } from 'node:child_process';
import { print } from './output.ts';

/** The program that opens a page in the user's browser; undefined if nobody would see it, or if it is disabled. */
export function browserProgram(
  platform: NodeJS.Platform,
  { CI, BROWSER, DISPLAY, WAYLAND_DISPLAY }: NodeJS.ProcessEnv,
  args: readonly string[],
): readonly string[] | undefined {
  if (CI || BROWSER === 'none' || args.includes('--no-open')) return undefined;
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['cmd', '/c', 'start', ''];
  return DISPLAY || WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
}

/** Returns true if a browser was started. A failure to start has no other effect. */
export function openInBrowser(url: string): boolean {
  const [program, ...args] = browserProgram(process.platform, process.env, process.argv) ?? [];
  if (program === undefined) return false;
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', (error) => print(`The browser could not be opened: ${error.message}`));
  child.unref();
  return true;
}
