/** What a command may do with a path and everything below it. The path itself can be neither moved nor replaced. */
export type Access = 'write' | 'read' | 'none';

export interface SandboxPlace {
  /** Absolute and real, with links resolved. It exists. */
  readonly path: string;
  readonly access: Access;
  readonly isFolder: boolean;
}

/** What a confined command may access. Paths outside of all places are read-only. */
export interface SandboxPolicy {
  /** In any order: the deepest place that contains a path decides about it. */
  readonly places: readonly SandboxPlace[];
  /** Absolute. The folder that replaces the system's temporary folders. */
  readonly temp: string;
  /** The route to the proxy. Without it, there is no network at all. */
  readonly route?: ProxyRoute | undefined;
  /** The command uses the machine's network instead of its own. */
  readonly openNetwork?: boolean;
  /** Absolute. The folder in which downloaded packages are kept. */
  readonly cache?: string | undefined;
}

export interface ProxyRoute {
  /** The port on 127.0.0.1, as the command sees it. */
  readonly port: number;
  /** On Linux: the network of that port, which contains nothing else of ours. */
  readonly joins?: JoinedNetwork;
}

/** A network that was created for the commands of a window. */
export interface JoinedNetwork {
  /** Absolute. The program that joins the network. */
  readonly nsenter: string;
  /** The id of a process in the network. */
  readonly pid: number;
}

/** Sorts outer places first, so that inner places are mounted on top. For equal paths, the stricter place counts. */
export function inOrder(places: readonly SandboxPlace[]): readonly SandboxPlace[] {
  const byPath = new Map<string, SandboxPlace>();
  for (const place of places) {
    const known = byPath.get(place.path);
    if (!known || STRICTNESS[place.access] > STRICTNESS[known.access]) byPath.set(place.path, place);
  }
  return [...byPath.values()].sort((a, b) => depthOf(a.path) - depthOf(b.path) || (a.path < b.path ? -1 : 1));
}

const STRICTNESS: Readonly<Record<Access, number>> = { write: 0, read: 1, none: 2 };

function depthOf(path: string): number {
  return path.split('/').filter(Boolean).length;
}
