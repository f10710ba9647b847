/**
 * Places in a home folder that contain keys, sessions or typed text, on Linux and macOS. Commands that build and test
 * need none of them.
 */
const IN_HOME: readonly string[] = [
  // Keys, and sockets of agents that use them.
  ...'.ssh .gnupg .1password .password-store .config/op .config/sops .config/age .vault-token .netrc _netrc'.split(' '),
  // Clouds, clusters and containers, with their sockets.
  ...'.aws .azure .kube .docker .dockercfg .config/gcloud .config/doctl .config/rclone .boto .s3cfg'.split(' '),
  ...'.colima .lima .rd .orbstack .local/share/containers .terraform.d/credentials.tfrc.json'.split(' '),
  // Package registries and code hosts.
  ...'.npmrc .yarnrc.yml .pypirc .gem/credentials .cargo/credentials .cargo/credentials.toml'.split(' '),
  ...'.git-credentials .config/git/credentials .config/gh .config/hub .config/glab-cli'.split(' '),
  // Databases.
  ...'.pgpass .my.cnf .mylogin.cnf'.split(' '),
  // Agents with their logins and conversations.
  ...'.gemini .gantry .claude .claude.json .codex .config/github-copilot'.split(' '),
  // Keyrings and browsers.
  ...'.local/share/keyrings .local/share/kwalletd .mozilla .thunderbird .config/google-chrome .config/chromium'.split(
    ' ',
  ),
  ...'.config/BraveSoftware .config/microsoft-edge .config/vivaldi .config/opera .var/app snap/firefox snap/chromium'.split(
    ' ',
  ),
  // Secrets that extensions store in editors.
  ...'.config/Code/User/globalStorage .config/VSCodium/User/globalStorage .vscode-server/data/User/globalStorage'.split(
    ' ',
  ),
  // Histories of typed text, which may contain passwords.
  ...'.bash_history .zsh_history .python_history .node_repl_history .psql_history .mysql_history'.split(' '),
  'Library/Keychains',
  'Library/Cookies',
  'Library/Messages',
  'Library/Mail',
  'Library/Safari',
  'Library/Application Support/Google/Chrome',
  'Library/Application Support/Firefox',
  'Library/Application Support/Code/User/globalStorage',
];

/** Secrets of the machine: passwords that the user may be able to read, and sockets that give full control. */
const OF_MACHINE: readonly string[] = [
  '/etc/shadow',
  '/etc/gshadow',
  '/var/snap/lxd/common/lxd/unix.socket',
  '/var/lib/lxd/unix.socket',
  '/var/lib/incus/unix.socket',
];

/** Variables that name a socket through which a process outside would follow orders. */
const SOCKETS: readonly string[] = [
  'SSH_AUTH_SOCK',
  'GPG_AGENT_INFO',
  'DBUS_SESSION_BUS_ADDRESS',
  'DBUS_SYSTEM_BUS_ADDRESS',
  'DOCKER_HOST',
  'CONTAINER_HOST',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'PULSE_SERVER',
  'WSL_INTEROP',
];

/** Variables for things that don't exist inside the sandbox. */
const DROPPED: ReadonlySet<string> = new Set([...SOCKETS, 'DISPLAY', 'XDG_RUNTIME_DIR']);

type Environment = Readonly<Record<string, string | undefined>>;

/** Absolute paths that may not exist. */
export function secretPlaces(home: string, environment: Environment): readonly string[] {
  const sockets = SOCKETS.flatMap((name) => /(?:^|=|:\/\/)(\/[^:;,]+)/.exec(environment[name] ?? '')?.[1] ?? []);
  return [...IN_HOME.map((name) => `${home}/${name}`), ...OF_MACHINE, ...sockets];
}

export function withoutSockets(environment: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !DROPPED.has(name)));
}
