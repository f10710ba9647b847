import { relative, sep } from 'node:path';
import type { DiskView } from '../files/disk-view.ts';
import { contains } from '../files/real-path.ts';

/** A Gemini CLI extension in use, for code that reads from its folder. */
export interface ExtensionFolder {
  /** Letters, digits and dashes. */
  readonly name: string;
  /** The real absolute path. */
  readonly folder: string;
  /** The real absolute path of its `gemini-extension.json`. */
  readonly manifest: string;
  /** Its files with instructions, relative to the folder. */
  readonly contextFiles: readonly string[];
}

/** The extensions in use. The same list as long as nothing changed. */
export type ExtensionsInUse = (view?: DiskView) => Promise<readonly ExtensionFolder[]>;

/** Whether a file is really inside the extension's folder, with links resolved. */
export function isOfExtension({ folder }: Pick<ExtensionFolder, 'folder'>, realPath: string): boolean {
  return contains(folder, realPath);
}

/** The parts of an extension's folder that instruct agents. Its programs are treated like those of any project. */
const PARTS: ReadonlySet<string> = new Set(['commands', 'skills', 'agents', 'hooks', 'policies']);

/**
 * Whether a file instructs an agent or controls its permissions. An extension under development may be in an open
 * folder.
 */
export function isRuleOfExtension(extension: Omit<ExtensionFolder, 'name'>, realPath: string): boolean {
  const { folder, manifest, contextFiles } = extension;
  if (!contains(folder, realPath)) return false;
  const path = relative(folder, realPath).toLowerCase();
  const files = [relative(folder, manifest), ...contextFiles].map((file) => file.toLowerCase());
  return files.includes(path) || PARTS.has(path.split(sep)[0] ?? '');
}

/** Expands Gemini CLI's variables in the files of an extension. Unknown variables stay as they are. */
export function expandForExtension(
  text: string,
  { folder }: Pick<ExtensionFolder, 'folder'>,
  root: string | undefined,
): string {
  const values = new Map<string, string | undefined>([
    ['extensionPath', folder],
    ['workspacePath', root],
    ['/', sep],
    ['pathSeparator', sep],
  ]);
  return text.replace(/\$\{([\w/]+)\}/g, (written, name: string) => values.get(name) ?? written);
}

/** The label of an extension as a source, for people and the model. */
export function extensionLabel(name: string): string {
  return `extension ${name}`;
}
