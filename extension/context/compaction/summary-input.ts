import type { Content, Part } from '@google/genai';
import { isObject } from '../../base/objects.ts';

/**
 * What the model reads that summarizes: words, calls and what came of them. Thoughts are nobody's business any more, and
 * media is named instead of sent. The contents themselves stay as they are.
 */
export function summaryInput(contents: readonly Content[]): Content[] {
  return contents.flatMap(({ role, parts = [] }) => {
    const readable = parts.flatMap(readablePart);
    return readable.length === 0 ? [] : [{ ...(role !== undefined && { role }), parts: readable }];
  });
}

function readablePart({ thoughtSignature: _, ...part }: Part): Part[] {
  if (part.thought) return [];
  const media = part.inlineData ?? part.fileData;
  if (media) return [{ text: `[${media.mimeType ?? 'A file'}, not shown here]` }];
  if (!part.functionResponse) return [part];
  const { response = {} } = part.functionResponse;
  const words = Object.entries(response).filter(([, value]) => !isMedia(value));
  return [{ ...part, functionResponse: { ...part.functionResponse, response: Object.fromEntries(words) } }];
}

/** Pictures that a tool returned stand beside its text, as a list of parts. */
function isMedia(value: unknown): boolean {
  return Array.isArray(value) && value.some((item) => isObject(item) && ('inlineData' in item || 'fileData' in item));
}
