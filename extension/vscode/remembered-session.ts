const KEY = 'gantry.shownSession';

/** VS Code's memory for a workspace, as far as it is used here. */
interface WorkspaceState {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** Which session this window showed, for the time after a reload. */
export class RememberedSession {
  constructor(private readonly state: WorkspaceState) {}

  get id(): string | undefined {
    const id = this.state.get(KEY);
    return typeof id === 'string' ? id : undefined;
  }

  async remember(id: string | undefined): Promise<void> {
    if (id !== this.id) await this.state.update(KEY, id);
  }
}
