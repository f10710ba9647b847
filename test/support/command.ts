import { spawn } from 'node:child_process';

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

export class CommandError extends Error {
  constructor(
    readonly command: string,
    readonly output: string,
  ) {
    super(`${command} failed:\n${output.trim()}`);
  }
}

/** Runs a program to its end and returns its stdout. On failure, throws a `CommandError` with all output. */
export async function runCommand(
  program: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<string> {
  // npm is a .cmd file on Windows, which only a shell can start.
  const shell = process.platform === 'win32' && !program.endsWith('.exe');
  const child = spawn(program, [...args], { ...options, shell, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let all = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    all += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    all += text;
  });
  return new Promise((resolve, reject) => {
    const command = `${program} ${args.join(' ')}`;
    child.on('error', (error) => reject(new CommandError(command, error.message)));
    child.on('close', (code) => {
      if (code === 0) {
        resolve(stdout);
      } else {
        reject(new CommandError(command, `${all}\n(exit code ${code})`));
      }
    });
  });
}

export async function runNpm(args: readonly string[], cwd: string): Promise<string> {
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  // Inside "npm test", the environment has the path of npm. That works without npm on PATH and on every platform.
  const npmScript = process.env['npm_execpath'];
  const asScript = npmScript !== undefined && /npm-cli\.c?js$/.test(npmScript);
  return asScript
    ? runCommand(process.execPath, [npmScript, ...args, ...quiet], { cwd })
    : runCommand('npm', [...args, ...quiet], { cwd });
}
