/** An `@name` in a message that may be a file, a folder or a resource of an MCP server. */
export interface AtMention {
  /** The possible names, most likely first, because the end of a name is ambiguous. */
  readonly names: readonly string[];
}

/**
 * An `@` at the beginning of a word, as in Gemini CLI: not in an email address, and not after a backslash. A name ends
 * at a space without a backslash before it, or at its closing quotation mark.
 */
const MENTION = /(?<![\w@.\\/+-])@(?:"([^"\n]+)"|((?:\\[^\n]|[^\s\\"@])(?:\\[^\n]|(?!,@)[^\s\\])*))/g;
/** On Windows, a backslash separates folders. */
const MENTION_ON_WINDOWS = /(?<![\w@.\\/+-])@(?:"([^"\n]+)"|([^\s"@](?:(?!,@)\S)*))/g;

/** More than anybody types. A piped file may have a mention in each line, and each mention is looked up on disk. */
const MOST_MENTIONS = 100;

/** The mentions of a message in their order, without duplicates. */
export function atMentions(text: string, platform: NodeJS.Platform = process.platform): readonly AtMention[] {
  const isWindows = platform === 'win32';
  const found = [...text.matchAll(isWindows ? MENTION_ON_WINDOWS : MENTION)].slice(0, MOST_MENTIONS);
  const mentions = found.map(([, quoted, word = '']) => (quoted === undefined ? namesIn(word, isWindows) : [quoted]));
  const different = new Map(mentions.map((names) => [names.join('\n'), { names }]));
  return [...different.values()].filter(({ names }) => names.length > 0);
}

/** The whole word, the word without trailing punctuation, and the part that Gemini CLI takes as the name. */
function namesIn(word: string, isWindows: boolean): string[] {
  const ends = [word, word.replace(SENTENCE_END, ''), GEMINI_NAME.exec(word)?.[0] ?? ''];
  const names = isWindows ? ends : ends.map((name) => name.replace(/\\(.)/g, '$1'));
  return [...new Set(names)].filter((name) => /[\p{L}\p{N}/\\]/u.test(name));
}

const SENTENCE_END = /(?:[.,:;!?)\]}>'"`*]|…)+$/;
const GEMINI_NAME = /^(?:\\.|[^,;!?()[\]{}.]|\.(?!$))+/;

/**
 * Whether the text probably means a file, so that a missing file is worth a notice: `notes.txt` and `./bin`, but not a
 * decorator, an account or `scope/package`.
 */
export function looksLikePath(name: string): boolean {
  return /\.\w{1,8}$/.test(name) || /^(?:\.{0,2}|~)[\\/]/.test(name) || name.split('/').length > 2;
}
