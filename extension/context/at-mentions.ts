/** Something written as `@name` that may be a file, a folder or a resource of an MCP server. */
export interface AtMention {
  /** What it may name, the most likely first: where a name ends is not always clear. */
  readonly names: readonly string[];
}

/**
 * `@` at the beginning of a word, as in Gemini CLI: not in an address of e-mail, and not behind a backslash. A name ends at
 * a blank that has no backslash before it, or with its quotation mark.
 */
const MENTION = /(?<![\w@.\\/+-])@(?:"([^"\n]+)"|((?:\\[^\n]|[^\s\\"@])(?:\\[^\n]|(?!,@)[^\s\\])*))/g;
/** On Windows a backslash stands between folders. */
const MENTION_ON_WINDOWS = /(?<![\w@.\\/+-])@(?:"([^"\n]+)"|([^\s"@](?:(?!,@)\S)*))/g;

/** More than anybody types. A piped file may have one in each line, and each is looked for on disk. */
const MOST_MENTIONS = 100;

/** What a message mentions, each once, in its order. */
export function atMentions(text: string, platform: NodeJS.Platform = process.platform): readonly AtMention[] {
  const isWindows = platform === 'win32';
  const found = [...text.matchAll(isWindows ? MENTION_ON_WINDOWS : MENTION)].slice(0, MOST_MENTIONS);
  const mentions = found.map(([, quoted, word = '']) => (quoted === undefined ? namesIn(word, isWindows) : [quoted]));
  const different = new Map(mentions.map((names) => [names.join('\n'), { names }]));
  return [...different.values()].filter(({ names }) => names.length > 0);
}

/** All of it, without the marks of the sentence around it, and up to where Gemini CLI ends a name. */
function namesIn(word: string, isWindows: boolean): string[] {
  const ends = [word, word.replace(SENTENCE_END, ''), GEMINI_NAME.exec(word)?.[0] ?? ''];
  const names = isWindows ? ends : ends.map((name) => name.replace(/\\(.)/g, '$1'));
  return [...new Set(names)].filter((name) => /[\p{L}\p{N}/\\]/u.test(name));
}

const SENTENCE_END = /(?:[.,:;!?)\]}>'"`*]|…)+$/;
const GEMINI_NAME = /^(?:\\.|[^,;!?()[\]{}.]|\.(?!$))+/;

/**
 * Whether somebody who writes this means a file, so that it is worth a word when there is none: `notes.txt` and `./bin`,
 * but not a decorator, an account or `scope/package`.
 */
export function looksLikePath(name: string): boolean {
  return /\.\w{1,8}$/.test(name) || /^(?:\.{0,2}|~)[\\/]/.test(name) || name.split('/').length > 2;
}
