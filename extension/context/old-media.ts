import type { Content, Part } from '@google/genai';
import { isInformation } from '../model/information.ts';
import { describeMedia, MEDIA_KEY, responseMedia } from './media-line.ts';
import { partTokens } from './token-estimate.ts';
import type { MediaRule } from './tokens/media-tokens.ts';

export interface WithoutMedia {
  readonly contents: Content[];
  /** The number of removed images, documents and other media. */
  readonly leftOut: number;
}

/**
 * Replaces the oldest images, documents and other data with a line of text, until the request has `tokens` fewer
 * tokens. The user's last message and the last content stay unchanged.
 */
export function withoutOldMedia(contents: readonly Content[], tokens: number, rule: MediaRule): WithoutMedia {
  const spared = new Set([contents.length - 1, contents.findLastIndex(isMessage)]);
  const files = filesOfCalls(contents);
  let [missing, leftOut] = [tokens, 0];
  const result = contents.map((content, index) => {
    if (missing <= 0 || spared.has(index) || !content.parts?.some(hasMedia)) return content;
    const parts = content.parts.map((part) => {
      if (missing <= 0 || !hasMedia(part)) return part;
      const line = withoutMedia(part, files.get(part.functionResponse?.id ?? ''));
      missing -= partTokens(part, rule) - partTokens(line, rule);
      leftOut += Math.max(1, mediaIn(part).length);
      return line;
    });
    return { ...content, parts };
  });
  return { contents: result, leftOut };
}

function isMessage(content: Content): boolean {
  const { role, parts = [] } = content;
  return role === 'user' && !isInformation(content) && !parts.some(({ functionResponse }) => functionResponse);
}

function hasMedia(part: Part): boolean {
  return part.inlineData !== undefined || mediaIn(part).length > 0;
}

function mediaIn(part: Part): readonly Part[] {
  return [...responseMedia(part), ...((part.functionResponse?.parts ?? []) as readonly Part[])];
}

function withoutMedia(part: Part, file: string | undefined): Part {
  const again = file === undefined ? '' : ` Read ${file} again if you need it.`;
  const lineFor = (media: Part): string => `[Left out to make room: ${describeMedia(media)}.${again}]`;
  const { functionResponse } = part;
  if (!functionResponse) return { text: lineFor(part) };
  const { [MEDIA_KEY]: _, ...response } = functionResponse.response ?? {};
  const { parts: __, ...answer } = functionResponse;
  const lines = mediaIn(part).map(lineFor).join('\n');
  const output = typeof response['output'] === 'string' ? `${response['output']}\n${lines}` : lines;
  return { ...part, functionResponse: { ...answer, response: { ...response, output } } };
}

/** Maps the ids of calls to the files they read. */
function filesOfCalls(contents: readonly Content[]): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const { parts = [] } of contents) {
    for (const { functionCall } of parts) {
      const file = functionCall?.args?.['file_path'] ?? functionCall?.args?.['path'];
      if (functionCall?.id && typeof file === 'string') files.set(functionCall.id, file);
    }
  }
  return files;
}
