import { join } from 'node:path';
import { isInProject } from '../files/real-path.ts';
import { type ExtensionFolder, isOfExtension } from '../ports/extension-folder.ts';
import type { SkillSummary } from '../tools/conversation/activate-skill.ts';

/** A skill as its file has it. */
export interface Skill extends SkillSummary {
  /** Whose it is: what comes with a project or an extension requires approval before it is followed. */
  readonly source: 'user' | 'project' | 'extension';
  /** Absolute: its `SKILL.md`. */
  readonly file: string;
  readonly instructions: string;
  /** Stands for its name, description and instructions. */
  readonly hash: string;
  /** Whether the folder is the skill's alone, so that what is in it belongs to the skill. */
  readonly ownsFolder: boolean;
}

/** Why a skill is not there, or not as it was meant. */
export interface SkillProblem {
  /** Absolute. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** For people. */
  readonly text: string;
}

/** A folder of skills. */
export interface SkillPlace {
  readonly folder: string;
  readonly source: Skill['source'];
  /** The one that it is in. */
  readonly extension?: ExtensionFolder;
  /** Whether a file may be one of its skills, by where it really is. */
  accepts(realPath: string): Promise<boolean> | boolean;
}

/** Where skills are. A later one counts instead of an earlier one of the same name, as in Gemini CLI. */
export function skillPlaces(
  geminiHome: string,
  roots: readonly string[],
  extensions: readonly ExtensionFolder[],
): SkillPlace[] {
  const own = [geminiHome].flatMap(foldersIn);
  const shared = roots.filter((root) => root !== geminiHome);
  return [
    ...extensions.map(
      (extension): SkillPlace => ({
        folder: join(extension.folder, 'skills'),
        source: 'extension',
        extension,
        accepts: (real) => isOfExtension(extension, real),
      }),
    ),
    ...own.map((folder): SkillPlace => ({ folder, source: 'user', accepts: () => true })),
    ...shared.flatMap((root) =>
      foldersIn(root).map(
        (folder): SkillPlace => ({ folder, source: 'project', accepts: (real) => isInProject(root, real) }),
      ),
    ),
  ];
}

/** Gemini CLI's, and the one that agents of several makers share. */
function foldersIn(folder: string): string[] {
  return [join(folder, '.gemini', 'skills'), join(folder, '.agents', 'skills')];
}
