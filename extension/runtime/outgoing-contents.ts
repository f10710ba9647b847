import type { Content, Part } from '@google/genai';

/**
 * Media a tool returned, under this key of its response. Function responses carry text only on most models, so media
 * travels beside the response as parts of its own.
 */
export const MEDIA_KEY = 'gantry_media';

/** The contents as the model gets them. The stored history is not touched. */
export function outgoingContents(contents: readonly Content[]): Content[] {
  const outgoing = contents.map(withMediaBeside);
  // An answer that broke off is the last thing in the history when the user retries: the API wants a user turn last.
  if (outgoing.at(-1)?.role === 'model') outgoing.push({ role: 'user', parts: [{ text: CONTINUE }] });
  return outgoing;
}

const CONTINUE = 'Your last answer was cut off. Continue exactly where it stopped.';

function withMediaBeside(content: Content): Content {
  if (!content.parts?.some((part) => mediaOf(part).length > 0)) return content;
  const responses = content.parts.map(withoutMedia);
  return { ...content, parts: [...responses, ...content.parts.flatMap(mediaOf)] };
}

function mediaOf(part: Part): readonly Part[] {
  const media = part.functionResponse?.response?.[MEDIA_KEY];
  return Array.isArray(media) ? media : NO_MEDIA;
}

const NO_MEDIA: readonly Part[] = [];

function withoutMedia(part: Part): Part {
  if (!part.functionResponse || mediaOf(part).length === 0) return part;
  const { [MEDIA_KEY]: _, ...response } = part.functionResponse.response ?? {};
  return { ...part, functionResponse: { ...part.functionResponse, response } };
}
