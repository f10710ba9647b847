/** What a command may do with a path and all below it. The path itself can be neither moved nor replaced. */
export type Access = 'write' | 'read' | 'none';

export interface SandboxPlace {
  /** Absolute and real: no link is left in it. It exists. */
  readonly path: string;
  readonly access: Access;
  readonly isFolder: boolean;
}

/** What a confined command may reach. What no place is about can be read, and nothing else. */
export interface SandboxPolicy {
  /** In any order: the deepest place that contains a path decides about it. */
  readonly places: readonly SandboxPlace[];
  /** Absolute: the folder that takes the place of the system's temporary folders. */
  readonly temp: string;
  /** The way to the proxy. Without it there is no network at all. */
  readonly route?: ProxyRoute | undefined;
  /** Instead of a network of its own it has the machine's. */
  readonly openNetwork?: boolean;
  /** Absolute: where packages are kept that it fetches. */
  readonly cache?: string | undefined;
}

export interface ProxyRoute {
  /** Of 127.0.0.1, as the command sees it. */
  readonly port: number;
  /** On Linux: the network in which that port is, and nothing else of ours. */
  readonly joins?: JoinedNetwork;
}

/** A network that was made for the commands of a window. */
export interface JoinedNetwork {
  /** Absolute: the program that joins it. */
  readonly nsenter: string;
  /** Of a process that is in it. */
  readonly pid: number;
}

/** Outer places first, so that those inside them are set up on top. Of two about one path the stricter one counts. */
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
