import { inOrder, type JoinedNetwork, type SandboxPolicy } from './sandbox-policy.ts';

export interface BubblewrapOptions {
  /** Absolute. The folder in which the command runs. */
  readonly folder: string;
  /** Absolute. An empty file that replaces a hidden one. */
  readonly emptyFile: string;
  /** Whether the path is a folder and not a link. */
  isFolder(path: string): boolean;
}

/** Other processes are invisible, and their shared memory is unreachable. */
const APART = ['--unshare-user', '--unshare-pid', '--unshare-ipc', '--die-with-parent'];

/** Drops all capabilities, even if root starts the command. */
const NO_RIGHTS = ['--cap-drop', 'ALL'];

/** The base of every command: a readable disk, and its own devices and processes. */
const GROUND = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'];

const GROUND_RULES = [...APART, ...NO_RIGHTS, ...GROUND];

/** Sockets of services that would follow orders from a command: containers, keyrings, the desktop. */
const SOCKETS = ['/run', '/var/run'];

/** NixOS has its programs there. */
const KEPT_OF_RUN = ['--ro-bind-try', '/run/current-system', '/run/current-system'];

/** Mount points of our own temporary folder. */
export const TEMPORARY: readonly string[] = ['/tmp', '/var/tmp'];

/** The arguments for every command, with either its own empty network or an existing network that it joins. */
export function bubblewrapGround(file: string, network?: JoinedNetwork): readonly string[] {
  if (!network) return [file, '--unshare-net', ...GROUND_RULES];
  const { nsenter, pid } = network;
  const join = [`--user=/proc/${pid}/ns/user`, `--net=/proc/${pid}/ns/net`, '--preserve-credentials', '--'];
  return [nsenter, ...join, file, ...GROUND_RULES];
}

/**
 * For the process whose network commands join. It has no `--dev`, because that needs a second user namespace, to which
 * the network wouldn't belong.
 */
export function bubblewrapHolder(file: string): readonly string[] {
  const apart = ['--unshare-user', '--unshare-net', '--unshare-ipc', '--die-with-parent'];
  return [file, ...apart, ...NO_RIGHTS, '--ro-bind', '/', '/', '--dev-bind', '/dev', '/dev', '--'];
}

/** All arguments before the command's own program. The order matters: later mounts cover earlier ones. */
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
      // A place that has been removed needs no protection.
      if (access === 'read') return ['--ro-bind-try', path, path];
      return isFolder ? ['--tmpfs', path] : ['--ro-bind', emptyFile, path];
    }),
    // Comes last, because a place inside may have needed a folder in it.
    ...hidden.flatMap(({ path }) => ['--remount-ro', path]),
    '--chdir',
    folder,
    '--',
  ];
}
