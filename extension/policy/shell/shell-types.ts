export interface ShellWord {
  /** Quotes removed. Undefined when it is only known at run time (`$x`, `*.js`, `$(…)`). A leading `~` is kept. */
  readonly value: string | undefined;
  /** As it is written. */
  readonly source: string;
  /** What the value certainly begins with; all of it when it is known. */
  readonly beginning: string;
  /** Not quoted, so that its value may become several words. */
  readonly maySplit?: true;
}

/** One simple command of a command line. */
export interface SubCommand {
  /** As it is written; redirections after it are omitted. */
  readonly text: string;
  /** The program and its arguments; assignments and redirections omitted. */
  readonly words: readonly ShellWord[];
  /** Files it writes to by redirection, its own or of the block it stands in. */
  readonly writes: readonly ShellWord[];
  readonly redirects: boolean;
}

/** What one reader found in a text. */
export interface ShellTree {
  /** In the order they are written, those inside substitutions, subshells, loops and wrappers included. */
  readonly commands: readonly SubCommand[];
  readonly hasRedirection: boolean;
  /**
   * What makes the text impossible to judge by its commands: a substitution, an assignment, a function, a wrapper that
   * cannot be seen through, a node this grammar does not know … One phrase each, for people.
   */
  readonly concerns: readonly string[];
}

export interface ReadableShell extends ShellTree {
  readonly parsed: true;
  /**
   * The line rewritten from its words, each quoted by us: what runs where no person reads it first. Undefined where that
   * cannot be done exactly.
   */
  readonly written: string | undefined;
}

export type ParsedShell = ReadableShell | { readonly parsed: false; readonly reason: string };

export interface ShellParser {
  parse(command: string): ParsedShell;
}

/** The program's name without its folder, as tables know it. Undefined when it is only known at run time. */
export function programOf(command: Pick<SubCommand, 'words'>): string | undefined {
  const name = command.words[0]?.value;
  // Asked for many times in each line, and mostly written like this.
  if (name === undefined || /^[a-z0-9_-]+$/.test(name)) return name;
  return name
    .replace(/^.*[\\/]/, '')
    .replace(/\.exe$/i, '')
    .toLowerCase();
}
