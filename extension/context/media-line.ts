import type { Part } from '@google/genai';
import { oneLine } from '../text/one-line.ts';

/** A picture, document or other data in a few words: its name where it has one, its type and its size. */
export function describeMedia({ inlineData, fileData }: Part): string {
  const { displayName: name = '', mimeType = 'data' } = inlineData ?? fileData ?? {};
  const size = inlineData?.data === undefined ? [] : [dataSize(inlineData.data.length * 0.75)];
  return [...(name === '' ? [] : [oneLine(name, LONGEST_NAME)]), oneLine(mimeType, LONGEST_NAME), ...size].join(', ');
}

export function dataSize(bytes: number): string {
  if (bytes >= MEGABYTE) return `${(bytes / MEGABYTE).toFixed(1)} MB`;
  return `${Math.max(1, Math.round(bytes / 1024))} KB`;
}

const MEGABYTE = 1024 * 1024;

const LONGEST_NAME = 200;

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
