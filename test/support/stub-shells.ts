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

/** The shells of this machine. The product starts bash, or `sh` if there is none. */
export function shellsHere(): readonly StubShell[] {
  const found = (name: string, ...args: string[]): readonly StubShell[] => {
    const file = ['/bin', '/usr/bin', '/usr/local/bin'].map((folder) => join(folder, name)).find(existsSync);
    return file === undefined ? [] : [{ name, file, args }];
  };
  return [...found('bash', '--norc', '--noprofile'), ...found('dash'), ...found('zsh', '-f', '-o', 'nonomatch')];
}

/** One program that a line started, with the index of the line. */
export interface Started {
  readonly line: number;
  readonly argv: readonly string[];
}

/** The separators between words and after entries of the log, and the replacement for a newline. */
const [UNIT, ENTRY, NEWLINE] = ['\x1f', '\x1e', '\x1d'];

/** Each entry is one write, so that programs of a pipe don't interleave entries: bash splits a text at a newline. */
const WRITE_DOWN = `_nl='
'
write_down() {
  _r=$n
  for _a; do
    while case $_a in *"$_nl"*) ;; *) false ;; esac; do _a="\${_a%%"$_nl"*}${NEWLINE}\${_a#*"$_nl"}"; done
    _r="$_r${UNIT}$_a"
  done
  printf %s "$_r${ENTRY}" >&9
}`;

/** A subshell costs more than the commands in it, so lines are grouped. */
const GROUP = 20;

/**
 * Runs lines in subshells and reports the programs that each has started. The programs are functions that only log
 * their arguments, no other program is reachable, and the folder is empty: no line may contain a path that leads out of
 * it.
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
  const functions = stubs.map((name) => `${name}() { write_down ${name} "$@"; }`);
  const each = lines.map((line, index) => {
    const [open, close] = [
      index % GROUP === 0 ? '(' : '',
      index % GROUP === GROUP - 1 || index === lines.length - 1 ? ') </dev/null >/dev/null 2>&1' : '',
    ];
    // Without the blank, a line that begins with a dash would be an option. What a line leaves in the background would
    // make files while a later line lists them.
    return `${open} n=${index}; eval ${quoted(` ${line}`)}\nwait\n${close}`;
  });
  await writeFile(script, [`exec 9>>${quoted(log)}`, WRITE_DOWN, ...functions, ...each, ''].join('\n'));
  const env = { PATH: '/nowhere', HOME: cwd, LC_ALL: 'C.UTF-8' };
  // The exit code of the shell is that of the last line.
  await run(file, [...args, script], { cwd, env, timeout: 300_000, killSignal: 'SIGKILL' }).catch((error) => {
    if (error.signal) throw error;
  });
  const written = await readFile(log, 'utf8');
  await rm(cwd, { recursive: true });
  return written
    .split(ENTRY)
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [line = '', ...argv] = entry.replaceAll(NEWLINE, '\n').split(UNIT);
      return { line: Number(line), argv };
    });
}

/** The syntax errors that the shell reports for each of these lines; empty if there are none. */
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
