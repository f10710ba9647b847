/** As many characters from the start are enough to tell. */
export const SNIFF_CHARS = 4096;

/** Gemini CLI's threshold for terminals. Text in a legacy encoding has fewer, a program or a picture has many more. */
const MAX_STRANGE_SHARE = 0.1;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about.
const COLOURS = /\x1b\[[0-9;:?]*[A-Za-z]/g;
/** What does not belong in text: most control characters, and what UTF-8 could not make sense of. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
const STRANGE = /[\0-\x06\x0e-\x1a\x1c-\x1f\ufffd]/g;

/** Judges the beginning of what a command has written, as it was decoded. */
export function looksLikeBinary(start: string): boolean {
  const sample = start.slice(0, SNIFF_CHARS).replace(COLOURS, '');
  return (sample.match(STRANGE)?.length ?? 0) > sample.length * MAX_STRANGE_SHARE;
}
