import { inOrder, type SandboxPolicy } from './sandbox-policy.ts';

export interface BubblewrapOptions {
  /** Absolute: where it runs. */
  readonly folder: string;
  /** Absolute: an empty file that takes the place of a hidden one. */
  readonly emptyFile: string;
  /** Whether there is a folder of that name, and no link. */
  isFolder(path: string): boolean;
}

/** Nothing of other processes is in sight, and there is no way to a network or to what others share in memory. */
const APART = ['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-net', '--die-with-parent'];

/** Also of the user who starts it, should that be root. */
const NO_RIGHTS = ['--cap-drop', 'ALL'];

/** What every command gets: a disk to read, devices and processes of its own. */
const GROUND = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'];

/** Services have their sockets there, on which they do what they are told: containers, keyrings, the desktop. */
const SOCKETS = ['/run', '/var/run'];

/** NixOS finds its programs there. */
const KEPT_OF_RUN = ['--ro-bind-try', '/run/current-system', '/run/current-system'];

/** Where the folder of our own is mounted. */
export const TEMPORARY: readonly string[] = ['/tmp', '/var/tmp'];

/** For finding out whether this machine lets us. */
export const PROBE: readonly string[] = [...APART, ...NO_RIGHTS, ...GROUND];

/** The arguments up to the program. The order counts: what comes later lies on top. */
export function bubblewrapArguments(policy: SandboxPolicy, options: BubblewrapOptions): string[] {
  const { folder, emptyFile, isFolder: isThere } = options;
  const places = inOrder(policy.places);
  const hidden = places.filter(({ access, isFolder }) => access === 'none' && isFolder);
  const { proxy } = policy;
  return [
    ...PROBE,
    ...SOCKETS.filter(isThere).flatMap((path) => ['--tmpfs', path]),
    ...KEPT_OF_RUN,
    ...TEMPORARY.filter(isThere).flatMap((path) => ['--bind', policy.temp, path]),
    ...places.flatMap(({ path, access, isFolder }) => {
      if (access === 'write') return ['--bind', path, path];
      // What is gone by now needs no protection.
      if (access === 'read') return ['--ro-bind-try', path, path];
      return isFolder ? ['--tmpfs', path] : ['--ro-bind', emptyFile, path];
    }),
    // Only now: a place inside may have needed a folder in it.
    ...hidden.flatMap(({ path }) => ['--remount-ro', path]),
    ...(proxy === undefined ? [] : ['--ro-bind', proxy, PROXY_SOCKET]),
    '--chdir',
    folder,
  ];
}

/** Where the way to the proxy is inside. */
export const PROXY_SOCKET = '/run/gantry-proxy.sock';
