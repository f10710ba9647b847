import { join } from 'node:path';
import { isInProject } from '../files/real-path.ts';
import { type ExtensionFolder, isOfExtension } from '../ports/extension-folder.ts';
import type { FileRange, TextRange } from '../text/text-range.ts';
import type { SkillSummary } from '../tools/conversation/activate-skill.ts';

/** A skill as defined in its file. */
export interface Skill extends SkillSummary {
  /** The origin: skills of a project or an extension require approval before they are used. */
  readonly source: 'user' | 'project' | 'extension';
  /** The absolute path of its `SKILL.md`. */
  readonly file: string;
  /** Where its name is in the file. */
  readonly nameRange: TextRange;
  readonly instructions: string;
  /** Identifies its name, description and instructions. */
  readonly hash: string;
  /** Whether the folder contains only this skill, so that all files in it belong to the skill. */
  readonly ownsFolder: boolean;
}

/** Why a skill is missing or not as intended. */
export interface SkillProblem {
  /** An absolute path. */
  readonly file: string;
  /** Starts at 1. */
  readonly line: number;
  readonly range: TextRange;
  /** For the user. */
  readonly text: string;
  /** The key that is missing or empty. */
  readonly missing?: 'name' | 'description';
  /** The skill that is used instead of this one. */
  readonly other?: FileRange;
}

/** A folder of skills. */
export interface SkillPlace {
  readonly folder: string;
  readonly source: Skill['source'];
  /** The extension that contains the folder. */
  readonly extension?: ExtensionFolder;
  /** Whether a file may be one of its skills, by its real path. */
  accepts(realPath: string): Promise<boolean> | boolean;
}

/** The folders with skills. A skill replaces an earlier one of the same name, as in Gemini CLI. */
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

/** The folder of Gemini CLI, and the one that agents of several vendors share. */
function foldersIn(folder: string): string[] {
  return [join(folder, '.gemini', 'skills'), join(folder, '.agents', 'skills')];
}
