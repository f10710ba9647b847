import { inOrder, type JoinedNetwork, type SandboxPolicy } from './sandbox-policy.ts';

export interface BubblewrapOptions {
  /** Absolute: where it runs. */
  readonly folder: string;
  /** Absolute: an empty file that takes the place of a hidden one. */
  readonly emptyFile: string;
  /** Whether there is a folder of that name, and no link. */
  isFolder(path: string): boolean;
}

/** Nothing of other processes is in sight, and there is no way to what others share in memory. */
const APART = ['--unshare-user', '--unshare-pid', '--unshare-ipc', '--die-with-parent'];

/** Also of the user who starts it, should that be root. */
const NO_RIGHTS = ['--cap-drop', 'ALL'];

/** What every command gets: a disk to read, devices and processes of its own. */
const GROUND = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'];

const GROUND_RULES = [...APART, ...NO_RIGHTS, ...GROUND];

/** Services have their sockets there, on which they do what they are told: containers, keyrings, the desktop. */
const SOCKETS = ['/run', '/var/run'];

/** NixOS finds its programs there. */
const KEPT_OF_RUN = ['--ro-bind-try', '/run/current-system', '/run/current-system'];

/** Where the folder of our own is mounted. */
export const TEMPORARY: readonly string[] = ['/tmp', '/var/tmp'];

/** What is started for every command, with a network of its own in which there is nothing, or in one that is there. */
export function bubblewrapGround(file: string, network?: JoinedNetwork): readonly string[] {
  if (!network) return [file, '--unshare-net', ...GROUND_RULES];
  const { nsenter, pid } = network;
  const join = [`--user=/proc/${pid}/ns/user`, `--net=/proc/${pid}/ns/net`, '--preserve-credentials', '--'];
  return [nsenter, ...join, file, ...GROUND_RULES];
}

/**
 * For the process whose network commands join. It has no `--dev`: that takes a second user namespace, of which the network
 * would not be part.
 */
export function bubblewrapHolder(file: string): readonly string[] {
  const apart = ['--unshare-user', '--unshare-net', '--unshare-ipc', '--die-with-parent'];
  return [file, ...apart, ...NO_RIGHTS, '--ro-bind', '/', '/', '--dev-bind', '/dev', '/dev', '--'];
}

/** All up to the command's own program. The order counts: what comes later lies on top. */
export function bubblewrapStart(file: string, policy: SandboxPolicy, options: BubblewrapOptions): readonly string[] {
  const { folder, emptyFile, isFolder: isThere } = options;
  const places = inOrder(policy.places);
  const hidden = places.filter(({ access, isFolder }) => access === 'none' && isFolder);
  return [
    ...(policy.openNetwork ? [file, ...GROUND_RULES] : bubblewrapGround(file, policy.route?.joins)),
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
    '--chdir',
    folder,
    '--',
  ];
}
