import { dirname } from 'node:path';
import * as l10n from '@vscode/l10n';
import { replaceFile } from '../../files/durable-files.ts';
import { failureReason } from '../../files/file-failure.ts';
import { fileStamp } from '../../files/file-stamp.ts';
import { contains, resolveRealPath } from '../../files/real-path.ts';
import type { WorkspacePort } from '../../ports/workspace.ts';
import { namedFile, type OwnInstructionPorts } from './own-instruction.ts';

/**
 * Writes the instruction to the file in `GEMINI_WRITE_SYSTEM_MD`, as in Gemini CLI, as a starting point for the user's
 * own. An existing file is not overwritten. Returns the problem, if any.
 */
export async function writeInstruction(
  text: string,
  ports: OwnInstructionPorts,
  workspace: WorkspacePort,
): Promise<string | undefined> {
  const path = namedFile('GEMINI_WRITE_SYSTEM_MD', ports, workspace);
  if (path === undefined || (await fileStamp(path)) !== '') return undefined;
  try {
    for (const root of workspace.roots()) await refuseInside(root, path, workspace);
    await replaceFile(path, `${text}\n`);
    return undefined;
  } catch (error) {
    const why = failureReason(error);
    return l10n.t('The file in GEMINI_WRITE_SYSTEM_MD was not written: {0}. Reason: {1}.', path, why);
  }
}

/** Refuses to write into an untrusted folder, or out of a folder through one of its links. */
async function refuseInside(root: string, path: string, workspace: WorkspacePort): Promise<void> {
  const [folder, real] = await Promise.all([resolveRealPath(root), resolveRealPath(dirname(path))]);
  if ((contains(root, path) || contains(folder.path, real.path)) && !workspace.isTrusted())
    throw new Error(l10n.t('this folder is not trusted'));
  if (contains(root, path) && !contains(folder.path, real.path))
    throw new Error(l10n.t('it links to a file outside its folder'));
}
