import type { WorkspaceState } from '../base/workspace.ts';

const KEY = 'gantry.inputHistory';
const MOST = 100;
/** Longer messages are only in the session, because VS Code keeps this storage in memory. */
const LONGEST = 5000;

/** The messages sent from this workspace, the newest last. */
export class InputHistory {
  constructor(private readonly state: WorkspaceState) {}

  get entries(): readonly string[] {
    const stored = this.state.get(KEY);
    return Array.isArray(stored) ? stored.filter((entry) => typeof entry === 'string').slice(-MOST) : [];
  }

  async add(text: string): Promise<void> {
    if (text.trim() === '' || text.length > LONGEST) return;
    const others = this.entries.filter((entry) => entry !== text);
    await this.state.update(KEY, [...others, text].slice(-MOST));
  }
}
