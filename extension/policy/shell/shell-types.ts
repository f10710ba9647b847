/** One simple command of a command line. */
export interface SubCommand {
  /** As it is written, redirections left out. */
  readonly text: string;
  /** Quotes removed. A word whose value is only known at run time (`$x`, `*.js`, `$(…)`) is undefined. */
  readonly words: readonly (string | undefined)[];
  /** Files it writes to by redirection, as written; undefined for a target that is only known at run time. */
  readonly writes: readonly (string | undefined)[];
}

export type ParsedShell =
  | {
      readonly parsed: true;
      /** In the order they are written, those inside substitutions, subshells, loops and wrappers included. */
      readonly commands: readonly SubCommand[];
      readonly hasRedirection: boolean;
      /**
       * What makes the text impossible to judge by its commands: a substitution, an assignment, a function, a wrapper that
       * cannot be seen through, a node this grammar does not know … One phrase each, for people.
       */
      readonly concerns: readonly string[];
    }
  | { readonly parsed: false; readonly reason: string };
