import type { Part } from '@google/genai';

/**
 * Media a tool returned, under this key of its response. Function responses carry text only on most models, so media
 * travels beside the response as parts of its own.
 */
export const MEDIA_KEY = 'gantry_media';

export function responseMedia(part: Part): readonly Part[] {
  const media = part.functionResponse?.response?.[MEDIA_KEY];
  return Array.isArray(media) ? media : NO_MEDIA;
}

const NO_MEDIA: readonly Part[] = [];
