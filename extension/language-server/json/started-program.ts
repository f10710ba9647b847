import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { isMissing } from '../../files/error-code.ts';

/** Where programs are looked for. Nothing is started. */
export interface ProgramPlaces {
  /** Absolute. The folder in which the program starts. */
  readonly folder: string;
  /** Absolute folders. Undefined if it is not known where the agent looks for programs. */
  readonly searched: readonly string[] | undefined;
}

const IS_WINDOWS = process.platform === 'win32';
const ENDINGS = IS_WINDOWS ? ['', '.exe', '.cmd', '.bat', '.com', '.ps1'] : [''];
/** What only a shell or the runtime can resolve. */
const UNKNOWN = /[$%`*?\0]/;

/** The folders of a `PATH`. */
export function searchedFolders(path = ''): readonly string[] | undefined {
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.length === 0 ? undefined : folders;
}

/** Whether a program is certainly not there. False if that can't be known. */
export async function isProgramMissing(program: string, { folder, searched }: ProgramPlaces): Promise<boolean> {
  if (program === '' || UNKNOWN.test(program)) return false;
  if (isPath(program)) return !(await isAnyThere(ENDINGS.map((ending) => resolve(folder, inHome(program)) + ending)));
  if (!searched) return false;
  return !(await isAnyThere(searched.flatMap((place) => ENDINGS.map((ending) => join(place, program + ending)))));
}

/** Whether a file is certainly not there. */
export async function isFileMissing(path: string, { folder }: Pick<ProgramPlaces, 'folder'>): Promise<boolean> {
  return !UNKNOWN.test(path) && !(await isAnyThere([resolve(folder, inHome(path))]));
}

export function isPath(program: string): boolean {
  return program.includes('/') || (IS_WINDOWS && program.includes('\\'));
}

function inHome(path: string): string {
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : path;
}

/** At a place that can't be examined, there may be a file. */
async function isAnyThere(paths: readonly string[]): Promise<boolean> {
  for (const path of paths) {
    const isThere = await access(path).then(
      () => true,
      (error) => !isMissing(error),
    );
    if (isThere) return true;
  }
  return false;
}

/** The first words of a command line, and where they are in it. */
export interface CommandWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const WORD = /[ \t]*((?:[^\s"'\\;|&()<>`]|"[^"]*"|'[^']*')+)/y;
const ASSIGNMENT = /^\w+=/;

/** The words of the first command, without the variables that are set for it. */
export function firstCommand(line: string): readonly CommandWord[] {
  const words: CommandWord[] = [];
  WORD.lastIndex = 0;
  for (let found = WORD.exec(line); found && words.length < 10; found = WORD.exec(line)) {
    const [, written = ''] = found;
    const end = WORD.lastIndex;
    if (words.length > 0 || !ASSIGNMENT.test(written)) {
      words.push({ text: written.replace(/["']/g, ''), start: end - written.length, end });
    }
  }
  return words;
}

/** What shells do themselves. In PowerShell, any name may be a command. */
const OF_SHELLS: ReadonlySet<string> = new Set(
  '. : ! [ [[ { alias bg bind break builtin caller case cd command compgen complete continue coproc declare dirs disown do done echo elif else enable esac eval exec exit export false fc fg fi for function getopts hash help history if in jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return select set shift shopt source suspend test then time times trap true type typeset ulimit umask unalias unset until wait while'.split(
    ' ',
  ),
);
/** Programs whose first argument is a script. */
const INTERPRETERS = /^(?:node|deno|bun|tsx|python3?|bash|sh|zsh|fish|ruby|perl|php|pwsh)$/;
const SCRIPT = /\.(?:[cm]?[jt]s|py|sh|bash|zsh|fish|rb|pl|php|ps1)$/;

/** The words of a command that name a program or a script which is not there. */
export async function missingPrograms(
  [program, script]: readonly CommandWord[],
  places: ProgramPlaces,
): Promise<readonly (CommandWord & { readonly isFile: boolean })[]> {
  if (!program) return [];
  const isName = !isPath(program.text);
  const isOfShell = isName && (IS_WINDOWS || OF_SHELLS.has(program.text));
  if (!isOfShell && (await isProgramMissing(program.text, places))) return [{ ...program, isFile: !isName }];
  if (!script || !INTERPRETERS.test(program.text) || !SCRIPT.test(script.text)) return [];
  return (await isFileMissing(script.text, places)) ? [{ ...script, isFile: true }] : [];
}
