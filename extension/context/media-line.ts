import type { Part } from '@google/genai';
import { oneLine } from '../text/one-line.ts';

/** Describes an image, document or other data in a few words: its name if it has one, its type and its size. */
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
 * The key of a tool's response under which its media is stored. On most models, function responses support only text,
 * so media is sent as separate parts next to the response.
 */
export const MEDIA_KEY = 'gantry_media';

export function responseMedia(part: Part): readonly Part[] {
  const media = part.functionResponse?.response?.[MEDIA_KEY];
  return Array.isArray(media) ? media : NO_MEDIA;
}

const NO_MEDIA: readonly Part[] = [];
