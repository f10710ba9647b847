import type * as vscode from 'vscode';
import type { WorkspaceState } from '../base/workspace.ts';

const KEY = 'gantry.page';

/** A page saves several times a second while the user types. */
const WRITE_MS = 1000;

/** Larger values are not stored, because VS Code writes them together with every other value of the workspace. */
const MAX_WRITTEN = 1_000_000;

/**
 * The drafts and opened items of the page. VS Code itself would restore them only for a page in the same place, and
 * only after the window was closed properly.
 */
export class SavedPage implements vscode.Disposable {
  private saved: string | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly state: WorkspaceState) {
    const saved = state.get(KEY);
    if (typeof saved === 'string') this.saved = saved;
  }

  get text(): string | undefined {
    return this.saved;
  }

  keep(text: string): void {
    this.saved = text;
    this.timer ??= setTimeout(() => this.write(), WRITE_MS);
  }

  dispose(): void {
    if (this.timer !== undefined) this.write();
  }

  private write(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const isShort = (this.saved?.length ?? 0) <= MAX_WRITTEN;
    void this.state.update(KEY, isShort ? this.saved : undefined);
  }
}
