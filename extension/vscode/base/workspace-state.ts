/** VS Code's memory for a workspace, as far as it is used here. */
export interface WorkspaceState {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}
