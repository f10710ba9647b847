/** Invisible to people, readable for models: a way to hide instructions in a text. */
const TAG_CHARACTERS = /[\u{E0000}-\u{E007F}]/gu;

const FENCE = /<(?=\s*\/?\s*untrusted_context)/gi;

/** Marks text that somebody else wrote, so that the model takes it for data. The text cannot end the mark itself. */
export function asUntrusted(text: string): string {
  const harmless = withoutTags(text).replace(FENCE, '&lt;');
  return `<untrusted_context>\n${harmless}\n</untrusted_context>`;
}

const PROMPT_FENCE = /<(?=\s*\/?\s*chosen_prompt)/gi;

/**
 * Marks text that somebody else wrote and that the user wants the model to follow. It cannot end the mark itself, so that what
 * is in it never counts as the user's own words.
 */
export function asChosenPrompt(text: string): string {
  const harmless = withoutTags(text).replace(PROMPT_FENCE, '&lt;');
  return `<chosen_prompt>\n${harmless}\n</chosen_prompt>`;
}

/** What somebody else wrote about something, with nothing in it that only a model reads. */
export function withoutTags(text: string): string {
  return text.replace(TAG_CHARACTERS, '');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** For the value of an attribute in a tag that the model reads. */
export function escapeAttribute(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
