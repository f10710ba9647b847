import { LruMap } from '../../base/lru-map.ts';
import type { Alarm } from '../../ports/clock.ts';
import { bareEnvironment, runProgram } from '../run-program.ts';
import { findShellProgram, type ShellProgram } from './shell-program.ts';

/** Whether the shell that will run a text accepts its syntax. */
export type SyntaxCheck = (text: string) => Promise<boolean>;

export interface SyntaxCheckOptions {
  /** The environment of commands. Only its language counts, because a shell reads characters by it. */
  readonly environment: () => Readonly<Record<string, string | undefined>>;
  readonly program?: ShellProgram | undefined;
  readonly alarm?: Alarm;
}

/** A shell reads a line in about 2 ms. */
const TIMEOUT_MS = 5000;
const MAX_BYTES = 4096;
/** A command is judged when it is called, and again while its question is pending. */
const MAX_KEPT = 50;

/** Words without any special character, joined by `|`, `&&` and `||`. Commands never begin with a keyword here. */
const PLAIN_LINE = /^[\w./-]+(?: (?:(?:\||&&|\|\|) )?[\w./-]+)*$/;

/**
 * Asks the shell with `-n`, so that it reads the text and runs nothing. It gets no variables that name files for it to
 * read, and no folder of the workspace. Anything but silent success counts as an error.
 */
export function createSyntaxCheck(options: SyntaxCheckOptions): SyntaxCheck {
  const { environment, program = findShellProgram(), alarm } = options;
  const accepted = new LruMap<boolean>(MAX_KEPT);
  return async (text) => {
    if (PLAIN_LINE.test(text) || accepted.get(text)) return true;
    // PowerShell has no such check.
    if (!program || process.platform === 'win32') return false;
    const { exitCode, stdout, stderr } = await runProgram({
      file: program.file,
      args: ['-n', ...program.argumentsFor(text)],
      folder: '/',
      environment: bareEnvironment(environment()),
      signal: new AbortController().signal,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      alarm,
    });
    const isAccepted = exitCode === 0 && stdout === '' && withoutLocale(stderr) === '';
    if (isAccepted) accepted.set(text, true);
    return isAccepted;
  };
}

/** Bash warns about a language that isn't installed, and about a here-document without an end. */
function withoutLocale(stderr: string): string {
  return stderr.replace(/^.*\bsetlocale\b.*\n/gm, '');
}
