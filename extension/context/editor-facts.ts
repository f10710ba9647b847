import { type AllowedPath, guardPath } from '../files/path-guard.ts';
import { IgnoreRules } from '../policy/ignore-rules.ts';
import { looksSecret } from '../policy/secret-files.ts';
import type { EditorPort, EditorProblem, OpenEditor } from '../ports/editor.ts';
import type { WorkspacePort } from '../ports/workspace.ts';
import { pathLabel } from '../tools/path-label.ts';

/** What may be shared about the editor: files of the workspace that are not hidden from the agent. */
export interface EditorFacts {
  readonly active?: ActiveFile;
  /** The active file is in the workspace but ignored or possibly secret, so neither its name nor its text is shared. */
  readonly activeIsHidden: boolean;
  /** Labels of the visible files other than the active one. */
  readonly visible: readonly string[];
  /** Labels of the open files that are not visible, most recently used first. */
  readonly open: readonly string[];
  /** With several folders open, a label alone does not identify a file. */
  readonly severalFolders: boolean;
}

export interface ActiveFile extends Pick<OpenEditor, 'cursor' | 'selection' | 'isDirty'> {
  readonly label: string;
  readonly problems: readonly EditorProblem[];
}

/** The same limit as in Gemini CLI's companion. */
const MAX_FILES = 10;

/** `recent` lists absolute paths in the order of their last use, newest first. */
export async function editorFacts(
  editor: Pick<EditorPort, 'openEditors' | 'problems'>,
  workspace: WorkspacePort,
  recent: readonly string[],
): Promise<EditorFacts> {
  const open = [...editor.openEditors()].sort(byUse(recent));
  const judge = new Judge(workspace.roots());
  const names = async (some: readonly OpenEditor[]): Promise<string[]> => {
    const labels: string[] = [];
    for (const { path } of some) {
      if (labels.length === MAX_FILES) break;
      const judged = await judge.judge(path);
      if (judged !== undefined && judged !== 'hidden' && !labels.includes(judged)) labels.push(judged);
    }
    return labels;
  };
  const active = open.find(({ isActive }) => isActive);
  const judged = active && (await judge.judge(active.path));
  return {
    ...(active && judged !== undefined && judged !== 'hidden' && { active: activeFile(active, judged, editor) }),
    activeIsHidden: judged === 'hidden',
    visible: await names(open.filter(({ isActive, isVisible }) => isVisible && !isActive)),
    open: await names(open.filter(({ isVisible }) => !isVisible)),
    severalFolders: workspace.roots().length > 1,
  };
}

function activeFile(active: OpenEditor, label: string, editor: Pick<EditorPort, 'problems'>): ActiveFile {
  const { path, isDirty, cursor, selection } = active;
  return {
    label,
    isDirty,
    problems: editor.problems(path),
    ...(cursor && { cursor }),
    ...(selection && { selection }),
  };
}

/** Editors that were never active in this window keep their order, after the others. */
function byUse(recent: readonly string[]): (left: OpenEditor, right: OpenEditor) => number {
  const place = ({ path }: OpenEditor): number => {
    const at = recent.indexOf(path);
    return at < 0 ? recent.length : at;
  };
  return (left, right) => place(left) - place(right);
}

/** Reads the ignore rules of each folder only once. */
class Judge {
  private readonly rules = new Map<string, IgnoreRules>();

  constructor(private readonly roots: readonly string[]) {}

  /** The label of the file; undefined outside the workspace. */
  async judge(path: string): Promise<string | 'hidden' | undefined> {
    const guarded = await guardPath(path, this.roots);
    if (!guarded.allowed) return undefined;
    return (await this.isHidden(guarded)) ? 'hidden' : pathLabel(guarded, this.roots);
  }

  private async isHidden({ realRoot, relativePath }: AllowedPath): Promise<boolean> {
    const rules = this.rules.get(realRoot) ?? new IgnoreRules(realRoot);
    this.rules.set(realRoot, rules);
    return looksSecret(relativePath) || (await rules.judge(relativePath)).hidden;
  }
}
