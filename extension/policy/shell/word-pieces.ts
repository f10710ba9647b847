/** A piece of a word, before it is known where the word is. */
export type RawPiece =
  /** Text without quotes, which may have a meaning: `*`, `{a,b}`, `~`. */
  { readonly kind: 'bare'; readonly text: string } | ExactPiece;

/** A piece that means the same wherever the word is. */
export type ExactPiece =
  | { readonly kind: 'text'; readonly text: string }
  /** `isNamed`: without braces, so that text after it could belong to the name. */
  | { readonly kind: 'variable'; readonly name: string; readonly quoted: boolean; readonly isNamed?: boolean }
  /** `${x:-a}`: everything between the braces. It is written as it is, because it contains nothing that needs quotes. */
  | { readonly kind: 'parameter'; readonly text: string; readonly quoted: boolean }
  /** The text between `$((` and `))`, with the names of the variables in it. */
  | { readonly kind: 'arithmetic'; readonly text: string; readonly names: readonly string[]; readonly quoted: boolean }
  | { readonly kind: 'substitution'; readonly line: SubstitutedLine; readonly quoted: boolean };

/** The commands of `$(…)`. Only the reader of commands knows what the parts are. */
export interface SubstitutedLine {
  readonly parts: readonly unknown[];
}

/** Thrown for everything that can't be read with certainty. */
export class NotUnderstood extends Error {}
