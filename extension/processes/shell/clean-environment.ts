type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Variables that commands must not see. Only the keys that Gantry itself uses are secrets here: the user's other
 * credentials, including application default credentials, are for the user's own tools.
 */
const OWN_KEYS: readonly string[] = ['GEMINI_API_KEY', 'GOOGLE_API_KEY'];

const DROPPED: ReadonlySet<string> = new Set([
  ...OWN_KEYS,
  // Belongs to the extension host, such as a debugger's bootloader. Every Node that a command starts would load it.
  'NODE_OPTIONS',
  // Belongs to the terminal from which we were started, not to the one of the command.
  'TERM_PROGRAM',
  'TERM_PROGRAM_VERSION',
  'TERMCAP',
  'COLUMNS',
  'LINES',
  'TMUX',
  'TMUX_PANE',
  'STY',
  'WINDOWID',
  // Each of these takes precedence over PAGER.
  'MANPAGER',
  'SYSTEMD_PAGER',
  'GH_PAGER',
  'AWS_PAGER',
  'BAT_PAGER',
  'DELTA_PAGER',
  'PSQL_PAGER',
]);

/** Whether a variable contains a key that Gantry itself uses. */
export function isOwnKey(name: string): boolean {
  return OWN_KEYS.includes(name.toUpperCase());
}

/** Sockets and tokens that give control of the editor, and variables that make Electron behave as Node. */
const EDITOR_INTERNALS = /^(VSCODE|ELECTRON)_/;

/** The helpers that these name ask through the editor's own sockets. */
const ASKPASS: ReadonlySet<string> = new Set(['GIT_ASKPASS', 'SSH_ASKPASS']);

const SET: Readonly<Record<string, string>> = {
  GANTRY: '1',
  // Scripts that know Gemini CLI check this variable.
  GEMINI_CLI: '1',
  TERM: 'xterm-256color',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  // Reading a repository doesn't lock its index, which the user's own git may be about to change.
  GIT_OPTIONAL_LOCKS: '0',
  // An editor would wait until somebody closes it. With `true`, Git uses its default text, as in `rebase --continue`,
  // and fails if there is none, as in `commit` without a message.
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
};

/** The environment of the model's commands: the user's own, without variables of Gantry or the editor. */
export function commandEnvironment(base: Environment): Record<string, string> {
  const isInEditor = Object.keys(base).some((name) => name.toUpperCase().startsWith('VSCODE_GIT_ASKPASS'));
  const kept = Object.entries(base).filter((entry): entry is [string, string] => {
    // On Windows, names are not case-sensitive.
    const name = entry[0].toUpperCase();
    if (entry[1] === undefined || name in SET || DROPPED.has(name)) return false;
    return !EDITOR_INTERNALS.test(name) && !(isInEditor && ASKPASS.has(name));
  });
  return { ...Object.fromEntries(kept), ...SET, ...gitConfiguration(base) };
}

/**
 * A committed folder that looks like a bare repository has its own configuration, and `cd there && git status` would
 * run the programs that it names. Setting this by variables keeps the user's own configuration, with their name,
 * intact.
 */
function gitConfiguration(base: Environment): Record<string, string> {
  const count = /^\d{1,4}$/.test(base['GIT_CONFIG_COUNT'] ?? '') ? Number(base['GIT_CONFIG_COUNT']) : 0;
  return {
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: 'safe.bareRepository',
    [`GIT_CONFIG_VALUE_${count}`]: 'explicit',
  };
}
