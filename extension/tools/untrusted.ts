/** Tag characters mirror ASCII invisibly: a reader sees nothing where a model reads a sentence. */
const TAG_CHARACTERS = /[\u{e0000}-\u{e007f}]/gu;
const CLOSING_TAG = /<(?=\s*\/\s*untrusted_context)/gi;

/** Text from outside, marked so that a model can tell it from instructions. The text cannot end the mark itself. */
export function asUntrusted(text: string): string {
  const harmless = text.replace(TAG_CHARACTERS, '').replace(CLOSING_TAG, '&lt;');
  return `<untrusted_context>\n${harmless}\n</untrusted_context>`;
}
