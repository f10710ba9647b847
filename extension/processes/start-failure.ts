import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isForbidden, isMissing } from '../files/error-code.ts';
import { failureReason } from '../files/file-failure.ts';

export interface StartedProgram {
  readonly file: string;
  /** Absolute. */
  readonly folder: string;
  /** The environment whose PATH is searched for a name. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Why a program could not be started. The system reports a missing program and a missing folder as the same `ENOENT`. */
export function startFailure(error: unknown, program: StartedProgram): string {
  const { file, folder } = program;
  if (!existsSync(folder)) return `There is no folder ${folder}.`;
  if (isMissing(error) || (isForbidden(error) && !isAnywhere(program))) return `There is no program ${file}.`;
  return `${file} cannot be run: ${failureReason(error)}.`;
}

/** With an unreadable folder on the PATH, a missing program is reported as forbidden. */
function isAnywhere({ file, environment }: StartedProgram): boolean {
  if (file.includes('/')) return true;
  return (environment?.['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, file)));
}
