import { existsSync } from 'node:fs';
import { win32 } from 'node:path';

/** The program that runs command lines. */
export interface ShellProgram {
  /** Absolute. It is never searched on the PATH, where a folder of the workspace may come first. */
  readonly file: string;
  /** The command is passed as one argument, whatever it contains. */
  argumentsFor(command: string): string[];
}

const BASH: readonly string[] = [
  '/bin/bash',
  '/usr/bin/bash',
  '/usr/local/bin/bash',
  '/run/current-system/sw/bin/bash',
];

export function findShellProgram(
  platform: NodeJS.Platform = process.platform,
  exists: (path: string) => boolean = existsSync,
): ShellProgram | undefined {
  return platform === 'win32' ? windowsShell(exists) : posixShell(exists);
}

function posixShell(exists: (path: string) => boolean): ShellProgram | undefined {
  const file = [...BASH, '/bin/sh'].find(exists);
  // `--` keeps a command that begins with a dash from being read as an option.
  return file === undefined ? undefined : { file, argumentsFor: (command) => ['-c', '--', command] };
}

function windowsShell(exists: (path: string) => boolean): ShellProgram | undefined {
  const { ProgramFiles = 'C:\\Program Files' } = process.env;
  const file = [
    win32.join(ProgramFiles, 'PowerShell', '7', 'pwsh.exe'),
    win32.join(windowsSystemFolder(), 'WindowsPowerShell', 'v1.0', 'powershell.exe'),
  ].find(exists);
  if (file === undefined) return undefined;
  return { file, argumentsFor: (command) => ['-NoProfile', '-NonInteractive', '-Command', command] };
}

export function windowsSystemFolder(): string {
  return win32.join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32');
}
