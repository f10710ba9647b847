import { basename, dirname, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onceEach } from '../base/once.ts';
import type { OpenTexts } from '../files/read-beginning.ts';
import { inlineCode } from '../text/markdown-text.ts';
import type { StartOptions } from './start-options.ts';

export interface WorkspacePorts extends OpenTexts {
  /** There is something new to say in code lenses. */
  lensesChanged(): void;
}

/** Another object whenever something may have changed. */
interface WorkspaceState {
  readonly workspace: Workspace;
}

/** What a document can refer to: the folders, the user's files, and the other open documents. */
export class Workspace {
  private state: WorkspaceState = { workspace: this };

  constructor(
    readonly options: StartOptions,
    readonly open: WorkspacePorts,
  ) {}

  /** In Restricted Mode, no file is read: only open documents are looked at. */
  get isTrusted(): boolean {
    return this.options.trusted;
  }

  uriOf(path: string): string {
    return pathToFileURL(path).href;
  }

  /** A path as people know it: relative to the folder that is open, or to the user's home. */
  labelOf(path: string): string {
    const { roots, home, shippedPolicies } = this.options;
    // Shipped files are deep in the folder of the program.
    if (dirname(path) === shippedPolicies) return basename(path);
    const root = roots.find((folder) => path.startsWith(`${folder}${sep}`));
    if (root !== undefined) return path.slice(root.length + 1);
    return path.startsWith(`${home}${sep}`) ? `~${path.slice(home.length)}` : path;
  }

  /** A link to a line in Markdown. */
  linkTo(path: string, line: number): string {
    const address = this.uriOf(path).replaceAll('(', '%28').replaceAll(')', '%29');
    return `[${inlineCode(`${this.labelOf(path)}:${line}`)}](${address}#L${line})`;
  }

  /** Called when a file that isn't open, or the set of open documents, may have changed. */
  forget(): void {
    this.state = { workspace: this };
  }

  /** What `find` finds out about a workspace, found out once until something changes. */
  static once<T>(find: (workspace: Workspace) => T): (workspace: Workspace) => T {
    const found = onceEach(({ workspace }: WorkspaceState) => find(workspace));
    return (workspace) => found(workspace.state);
  }
}
