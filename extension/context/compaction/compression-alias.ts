const ALIASES: Readonly<Record<string, string>> = {
  'gemini-3-pro-preview': '3-pro',
  'gemini-3.1-pro-preview': '3-pro',
  'gemini-3-flash-preview': '3-flash',
  'gemini-3.1-flash-lite-preview': '3.1-flash-lite',
  'gemini-3.1-flash-lite': '3.1-flash-lite',
  'gemini-2.5-pro': '2.5-pro',
  'gemini-2.5-flash': '2.5-flash',
  'gemini-2.5-flash-lite': '2.5-flash-lite',
};

/** Which entry of the model configuration summarizes the conversations of a model. */
export function compressionAlias(model: string): string {
  return `chat-compression-${Object.hasOwn(ALIASES, model) ? ALIASES[model] : 'default'}`;
}
