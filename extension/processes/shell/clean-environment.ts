type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What a command does not get to see. Only the keys we ourselves use are secrets here: the user's other credentials,
 * application default credentials included, are what their own tools work with.
 */
const OWN_KEYS: readonly string[] = ['GEMINI_API_KEY', 'GOOGLE_API_KEY'];

const DROPPED: ReadonlySet<string> = new Set([
  ...OWN_KEYS,
  // Of the extension host, such as a debugger's bootloader. It would be loaded into every Node that a command starts.
  'NODE_OPTIONS',
  // Of the terminal we were started from, which is not the one that the command runs in.
  'TERM_PROGRAM',
  'TERM_PROGRAM_VERSION',
  'TERMCAP',
  'COLUMNS',
  'LINES',
  'TMUX',
  'TMUX_PANE',
  'STY',
  'WINDOWID',
  // Each of them goes before PAGER.
  'MANPAGER',
  'SYSTEMD_PAGER',
  'GH_PAGER',
  'AWS_PAGER',
  'BAT_PAGER',
  'DELTA_PAGER',
  'PSQL_PAGER',
]);

/** Whether a variable holds a key that we ourselves use. */
export function isOwnKey(name: string): boolean {
  return OWN_KEYS.includes(name.toUpperCase());
}

/** Sockets and tokens through which a command could talk to the editor, and what makes Electron behave as Node. */
const EDITOR_INTERNALS = /^(VSCODE|ELECTRON)_/;

/** The helpers behind these ask through the editor's own sockets. */
const ASKPASS: ReadonlySet<string> = new Set(['GIT_ASKPASS', 'SSH_ASKPASS']);

const SET: Readonly<Record<string, string>> = {
  GANTRY: '1',
  // Scripts that know Gemini CLI look for this one.
  GEMINI_CLI: '1',
  TERM: 'xterm-256color',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  // A look at a repository leaves its index alone, which the user's own git may be about to change.
  GIT_OPTIONAL_LOCKS: '0',
  // An editor would wait for somebody to close it. With this one Git takes its own proposal, as in `rebase --continue`,
  // and gives up where there is none, as in `commit` without a message.
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
};

/** The environment of commands that the model runs: the user's own, without what is ours or the editor's. */
export function commandEnvironment(base: Environment): Record<string, string> {
  const isInEditor = Object.keys(base).some((name) => name.toUpperCase().startsWith('VSCODE_GIT_ASKPASS'));
  const kept = Object.entries(base).filter((entry): entry is [string, string] => {
    // Windows does not tell cases apart.
    const name = entry[0].toUpperCase();
    if (entry[1] === undefined || name in SET || DROPPED.has(name)) return false;
    return !EDITOR_INTERNALS.test(name) && !(isInEditor && ASKPASS.has(name));
  });
  return { ...Object.fromEntries(kept), ...SET, ...gitConfiguration(base) };
}

/**
 * A folder that was committed to look like a bare repository brings its own configuration, and `cd there && git status`
 * runs the programs named in it. Configuration in variables leaves the user's own, with their name, as it is.
 */
function gitConfiguration(base: Environment): Record<string, string> {
  const count = /^\d{1,4}$/.test(base['GIT_CONFIG_COUNT'] ?? '') ? Number(base['GIT_CONFIG_COUNT']) : 0;
  return {
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: 'safe.bareRepository',
    [`GIT_CONFIG_VALUE_${count}`]: 'explicit',
  };
}
