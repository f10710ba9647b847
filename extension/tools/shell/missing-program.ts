import { readdir, stat } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import * as z from 'zod';
import { once } from '../../base/once.ts';
import { contains } from '../../files/real-path.ts';
import { openRegularFile, readUpTo } from '../../files/regular-file.ts';
import { namesLike } from '../../text/nearest-names.ts';

/** Bash and dash name the program before the message, zsh after it, and PowerShell in it. */
const MESSAGES: readonly RegExp[] = [
  /(?:^|[\s:])([\w@.+-]{1,64}): (?:command )?not found\s*$/m,
  /command not found: ([\w@.+-]{1,64})\s*$/m,
  /The term '([\w@.+-]{1,64})' is not recognized/,
];
/** The shell says it last. */
const MAX_END_CHARS = 20_000;
const MAX_SUGGESTED = 3;
const MAX_PACKAGE_BYTES = 1024 * 1024;
const NAME = /^[\w@.+-]{1,64}$/;

export interface FailedCommand {
  readonly command: string;
  readonly output: string;
  readonly exitCode: number | null | undefined;
  /** Absolute. The folder in which it ran. */
  readonly folder: string;
  /** Absolute. No folder outside of these is looked at. */
  readonly roots: readonly string[];
  readonly path: string | undefined;
}

/** What a missing program may have meant, for the model. Undefined if no program is missing. */
export async function missingProgramFact(failed: FailedCommand): Promise<string | undefined> {
  const name = missingProgram(failed);
  if (name === undefined) return undefined;
  const [inProject, scripts] = [await packageProgram(name, failed), await packageScripts(failed)];
  const suggestions = [
    ...(inProject ? [`npx ${name}, which the project has in node_modules`] : []),
    ...(scripts.includes(name) ? [`npm run ${name}, a script of package.json`] : []),
  ];
  const near = suggestions.length > 0 ? [] : await nearPrograms(name, failed.path);
  const meant = [...suggestions, ...near];
  if (meant.length > 0) return `There is no program "${name}". Did you mean ${meant.join(' or ')}?`;
  return `There is no program "${name}" here, so the same command fails again. Use another program, or ask the user to install it.`;
}

/** The output may claim anything, so only a name from the command line counts. */
function missingProgram({ command, output, exitCode }: FailedCommand): string | undefined {
  if (!exitCode) return undefined;
  const patterns = exitCode === 127 ? MESSAGES : MESSAGES.slice(2);
  const end = output.slice(-MAX_END_CHARS);
  const names = patterns.flatMap((pattern) => pattern.exec(end)?.[1] ?? []);
  return names.find((name) => command.includes(name));
}

/** Whether a package of the project brings the program. */
async function packageProgram(name: string, failed: FailedCommand): Promise<boolean> {
  const found = foldersUp(failed).map((folder) =>
    stat(join(folder, 'node_modules', '.bin', name)).catch(() => undefined),
  );
  return (await Promise.all(found)).some((stats) => stats !== undefined);
}

const packageSchema = once(() => z.object({ scripts: z.record(z.string(), z.unknown()).optional() }));

async function packageScripts({ folder }: FailedCommand): Promise<readonly string[]> {
  const file = await openRegularFile(join(folder, 'package.json'));
  if (!file.opened) return [];
  try {
    const bytes = await readUpTo(file.handle, file.size, MAX_PACKAGE_BYTES);
    const { scripts = {} } = packageSchema().parse(JSON.parse(String(bytes ?? '{}')));
    return Object.keys(scripts);
  } catch {
    // An invalid file has no scripts to suggest.
    return [];
  } finally {
    await file.handle.close();
  }
}

function foldersUp({ folder, roots }: FailedCommand): readonly string[] {
  const root = roots.find((each) => contains(each, folder));
  if (root === undefined) return [folder];
  const folders = [folder];
  for (let at = folder; at !== root && dirname(at) !== at; at = dirname(at)) folders.push(dirname(at));
  return folders;
}

async function nearPrograms(name: string, path: string | undefined): Promise<readonly string[]> {
  const folders = (path ?? '').split(delimiter).filter((folder) => folder !== '');
  const names = await Promise.all(folders.map((folder) => readdir(folder).catch((): string[] => [])));
  const programs = new Set(
    names
      .flat()
      .map((file) => file.replace(/\.(?:exe|cmd|bat|ps1)$/i, ''))
      .filter((each) => NAME.test(each)),
  );
  return namesLike(name, programs, MAX_SUGGESTED);
}
