/** The states of MCP servers, as far as starts are concerned. */
interface Servers {
  readonly onDidChange: (listener: () => void) => unknown;
  readonly statuses: readonly { readonly name: string; readonly state: { readonly kind: string } }[];
}

/** Reports how long each start of a server took, and how it ended. */
export function followServerStarts(
  servers: Servers,
  now: () => number,
  started: (outcome: string, ms: number) => void,
): void {
  const starting = new Map<string, number>();
  servers.onDidChange(() => {
    for (const { name, state } of servers.statuses) {
      const since = starting.get(name);
      if (state.kind === 'starting') starting.set(name, since ?? now());
      else if (since !== undefined) {
        starting.delete(name);
        started(state.kind, now() - since);
      }
    }
  });
}
