import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface StubShell {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
}

/** The shells of this machine; the product starts bash, or `sh` where there is none. */
export function shellsHere(): readonly StubShell[] {
  const found = (name: string, ...args: string[]): readonly StubShell[] => {
    const file = ['/bin', '/usr/bin', '/usr/local/bin'].map((folder) => join(folder, name)).find(existsSync);
    return file === undefined ? [] : [{ name, file, args }];
  };
  return [...found('bash', '--norc', '--noprofile'), ...found('dash'), ...found('zsh', '-f')];
}

/** One program that a line has started, by the line's index. */
export interface Started {
  readonly line: number;
  readonly argv: readonly string[];
}

/** Between the words and behind the entries of the log. */
const [UNIT, ENTRY] = ['\x1f', '\x1e'];

/**
 * Runs each line in a subshell and tells what it started. The programs are functions that only write down their words, there is
 * no other program within reach, and the folder is an empty one: no line may hold a path that leads out of it.
 */
export async function startedBy(
  { file, args }: StubShell,
  lines: readonly string[],
  stubs: readonly string[],
  folder: string,
): Promise<readonly Started[]> {
  const cwd = join(folder, 'cwd');
  await mkdir(cwd, { recursive: true });
  const log = join(folder, 'log');
  const script = join(folder, 'script');
  await writeFile(log, '');
  const functions = stubs.map((name) => `${name}() { printf '%s\\037' "$n" ${name} "$@" "$e" >&9; }`);
  const each = lines.map((line, index) => `n=${index}; ( eval ${quoted(line)} ) </dev/null >/dev/null 2>&1`);
  await writeFile(script, [`exec 9>>${quoted(log)}`, `e=$(printf '\\036')`, ...functions, ...each, ''].join('\n'));
  const env = { PATH: '/nowhere', HOME: cwd, LC_ALL: 'C.UTF-8' };
  // How the last line ends is how the shell ends.
  await run(file, [...args, script], { cwd, env, timeout: 300_000, killSignal: 'SIGKILL' }).catch((error) => {
    if (error.signal) throw error;
  });
  const written = await readFile(log, 'utf8');
  await rm(cwd, { recursive: true });
  return written
    .split(`${ENTRY}${UNIT}`)
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [line = '', ...words] = entry.split(UNIT);
      return { line: Number(line), argv: words.slice(0, -1) };
    });
}

/** What the shell says of the syntax of these lines, one after the other; empty when nothing is wrong. */
export async function syntaxErrors(
  { file, args }: StubShell,
  lines: readonly string[],
  folder: string,
): Promise<string> {
  const script = join(folder, 'syntax');
  await writeFile(script, `${lines.join('\n')}\n`);
  const { stderr } = await run(file, [...args, '-n', script]).catch((error: { stderr: string }) => error);
  return stderr;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
