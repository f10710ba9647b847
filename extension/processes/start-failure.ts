import { existsSync } from 'node:fs';
import { isMissing } from '../policy/error-code.ts';
import { failureReason } from '../policy/file-failure.ts';

/** Why a program could not be started. The system reports a missing program and a missing folder as the same `ENOENT`. */
export function startFailure(
  error: unknown,
  { file, folder }: { readonly file: string; readonly folder: string },
): string {
  if (!existsSync(folder)) return `There is no folder ${folder}.`;
  return isMissing(error) ? `There is no program ${file}.` : `${file} cannot be run: ${failureReason(error)}.`;
}
