import type { Content, Part } from '@google/genai';
import { MEDIA_KEY, responseMedia } from '../context/response-media.ts';

/** The contents as the model gets them. The stored history is not touched. */
export function outgoingContents(contents: readonly Content[]): Content[] {
  const outgoing = contents.map(withMediaBeside);
  // An answer that broke off is the last thing in the history when the user retries: the API wants a user turn last.
  if (outgoing.at(-1)?.role === 'model') outgoing.push({ role: 'user', parts: [{ text: CONTINUE }] });
  return outgoing;
}

const CONTINUE = 'Your last answer was cut off. Continue exactly where it stopped.';

function withMediaBeside(content: Content): Content {
  if (!content.parts?.some((part) => responseMedia(part).length > 0)) return content;
  const responses = content.parts.map(withoutMedia);
  return { ...content, parts: [...responses, ...content.parts.flatMap(responseMedia)] };
}

function withoutMedia(part: Part): Part {
  if (!part.functionResponse || responseMedia(part).length === 0) return part;
  const { [MEDIA_KEY]: _, ...response } = part.functionResponse.response ?? {};
  return { ...part, functionResponse: { ...part.functionResponse, response } };
}
