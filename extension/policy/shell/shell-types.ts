export interface ShellWord {
  /** The word without quotes. Undefined if only known at run time (`$x`, `*.js`, `$(…)`). A leading `~` is kept. */
  readonly value: string | undefined;
  /** The word as it is written. */
  readonly source: string;
  /** The known beginning of the value; the whole value if it is known. */
  readonly beginning: string;
  /** The word is not quoted, so its value may become several words. */
  readonly maySplit?: true;
}

/** A word about which nothing is known before the command runs. */
export const UNKNOWN_WORD: ShellWord = { value: undefined, source: '', beginning: '' };

/** A word that means just this text. */
export function literalWord(text: string): ShellWord {
  return { value: text, source: text, beginning: text };
}

/** One simple command of a command line. */
export interface SubCommand {
  /** The command as it is written, without redirections after it. */
  readonly text: string;
  /** The program and its arguments, without assignments and redirections. */
  readonly words: readonly ShellWord[];
  /** Files that it writes to by redirection, including redirections of the block around it. */
  readonly writes: readonly ShellWord[];
  readonly redirects: boolean;
}

/** The variables that a text sets, with the words that it sets them to. */
export type Variables = ReadonlyMap<string, readonly ShellWord[]>;

/** The result of parsing a text. */
export interface ShellTree {
  /** In the order of the text, including commands in substitutions, subshells, loops and wrappers. */
  readonly commands: readonly SubCommand[];
  readonly hasRedirection: boolean;
  /**
   * Reasons why the text can't be judged by its commands: a substitution, an assignment, a function, a wrapper whose
   * command is unknown, a node that this grammar doesn't know … Each is a phrase for people.
   */
  readonly concerns: readonly string[];
  /** Everything that the text assigns to variables, whatever else may change them. */
  readonly assigned: Variables;
  /** The same. Undefined if something else in the text may change variables. */
  readonly variables: Variables | undefined;
}

export interface ReadableShell extends Omit<ShellTree, 'assigned'> {
  readonly parsed: true;
  /**
   * The line rewritten from its words, each quoted by Gantry. This text runs if no person reads the command first.
   * Undefined if the line can't be rewritten exactly.
   */
  readonly written: string | undefined;
  /**
   * It can be rewritten and has nothing but words, quotes, `$x`, `*`, `?` and `~` in lists, pipes, groups, conditions and
   * loops. Only such a line can be covered by rules for its commands, and only its commands show all that it names.
   */
  readonly isPlain: boolean;
}

export type ParsedShell = ReadableShell | { readonly parsed: false; readonly reason: string };

export interface ShellParser {
  parse(command: string): ParsedShell;
}

/** The program's name without its folder, as tables use it. Undefined if it is only known at run time. */
export function programOf(command: Pick<SubCommand, 'words'>): string | undefined {
  const name = command.words[0]?.value;
  // A shortcut, because this is called many times per line and most names look like this.
  if (name === undefined || /^[a-z0-9_-]+$/.test(name)) return name;
  return name
    .replace(/^.*[\\/]/, '')
    .replace(/\.exe$/i, '')
    .toLowerCase();
}
