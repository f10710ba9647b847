/** Invisible to people but readable for models: a way to hide instructions in a text. */
const TAG_CHARACTERS = /[\u{E0000}-\u{E007F}]/gu;

const FENCE = /<(?=\s*\/?\s*untrusted_context)/gi;

/** Marks text of other authors, so that the model treats it as data. The text cannot close the tag around it. */
export function asUntrusted(text: string): string {
  const harmless = withoutTags(text).replace(FENCE, '&lt;');
  return `<untrusted_context>\n${harmless}\n</untrusted_context>`;
}

const PROMPT_FENCE = /<(?=\s*\/?\s*chosen_prompt)/gi;

/**
 * Marks text of other authors that the user wants the model to follow. The text cannot close the tag around it, so that
 * it never counts as the user's own words.
 */
export function asChosenPrompt(text: string): string {
  const harmless = withoutTags(text).replace(PROMPT_FENCE, '&lt;');
  return `<chosen_prompt>\n${harmless}\n</chosen_prompt>`;
}

/** Removes characters that only a model reads from text of other authors. */
export function withoutTags(text: string): string {
  return text.replace(TAG_CHARACTERS, '');
}

const NOTICE = /^(?:\[|(?:More or changed facts|Facts) about the machine)/;

/**
 * Whether a text of a message is not from the user, but tells the model about its environment or what happened
 * meanwhile. A typed text with the same wording counts as one.
 */
export function isNoticeText(text: string): boolean {
  return NOTICE.test(text);
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes the value of an attribute in a tag for the model. */
export function escapeAttribute(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
