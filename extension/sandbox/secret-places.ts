/**
 * Places in a home folder that hold keys, sessions or what was typed, on Linux and macOS. A command that builds and tests
 * needs none of them. Names with no slash are looked for in the home folder itself.
 */
const IN_HOME: readonly string[] = [
  // Keys, and the sockets of agents that use them.
  ...'.ssh .gnupg .1password .password-store .config/op .config/sops .config/age .vault-token .netrc _netrc'.split(' '),
  // Clouds, clusters and containers, with the sockets that reach them.
  ...'.aws .azure .kube .docker .dockercfg .config/gcloud .config/doctl .config/rclone .boto .s3cfg'.split(' '),
  ...'.colima .lima .rd .orbstack .local/share/containers .terraform.d/credentials.tfrc.json'.split(' '),
  // Package registries and code hosts.
  ...'.npmrc .yarnrc.yml .pypirc .gem/credentials .cargo/credentials .cargo/credentials.toml'.split(' '),
  ...'.git-credentials .config/git/credentials .config/gh .config/hub .config/glab-cli'.split(' '),
  // Databases.
  ...'.pgpass .my.cnf .mylogin.cnf'.split(' '),
  // Agents, with their logins and conversations.
  ...'.gemini .gantry .claude .claude.json .codex .config/github-copilot'.split(' '),
  // Keyrings and browsers.
  ...'.local/share/keyrings .local/share/kwalletd .mozilla .thunderbird .config/google-chrome .config/chromium'.split(
    ' ',
  ),
  ...'.config/BraveSoftware .config/microsoft-edge .config/vivaldi .config/opera .var/app snap/firefox snap/chromium'.split(
    ' ',
  ),
  // Where editors keep what extensions call secret.
  ...'.config/Code/User/globalStorage .config/VSCodium/User/globalStorage .vscode-server/data/User/globalStorage'.split(
    ' ',
  ),
  // What people typed, passwords among it.
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

/** Of the machine: passwords where the user may read them, and sockets whose owner may do anything. */
const OF_MACHINE: readonly string[] = [
  '/etc/shadow',
  '/etc/gshadow',
  '/var/snap/lxd/common/lxd/unix.socket',
  '/var/lib/lxd/unix.socket',
  '/var/lib/incus/unix.socket',
];

/** Variables that name a socket, on which something outside would do what it is told. */
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

/** Lead to what is not there inside. */
const DROPPED: ReadonlySet<string> = new Set([...SOCKETS, 'DISPLAY', 'XDG_RUNTIME_DIR']);

type Environment = Readonly<Record<string, string | undefined>>;

/** Absolute paths that may exist or not. */
export function secretPlaces(home: string, environment: Environment): readonly string[] {
  const sockets = SOCKETS.flatMap((name) => /(?:^|=|:\/\/)(\/[^:;,]+)/.exec(environment[name] ?? '')?.[1] ?? []);
  return [...IN_HOME.map((name) => `${home}/${name}`), ...OF_MACHINE, ...sockets];
}

export function withoutSockets(environment: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !DROPPED.has(name)));
}
