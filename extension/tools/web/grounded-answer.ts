import type { GenerateContentResponse } from '@google/genai';
import * as z from 'zod';
import { once } from '../../base/once.ts';
import { oneLine } from '../../text/one-line.ts';

export interface GroundedAnswer {
  readonly text: string;
  readonly citations: readonly Citation[];
  readonly sources: readonly GroundingSource[];
}

export interface GroundingSource {
  readonly title: string;
  /** Usually a link that redirects to the page. */
  readonly uri: string | undefined;
}

/** An answer is a page or two. The limits only keep a malformed one from using too much memory. */
const MAX_ANSWER_CHARS = 100_000;
const MAX_SOURCES = 50;
const MAX_CITATIONS = 1000;
const MAX_TITLE_CHARS = 200;

const webSchema = once(() =>
  z.object({
    uri: z.string().optional().catch(undefined),
    title: z.string().optional().catch(undefined),
    domain: z.string().optional().catch(undefined),
  }),
);

const supportSchema = once(() =>
  z.object({
    segment: z.object({ endIndex: z.number(), partIndex: z.number().optional() }),
    groundingChunkIndices: z.array(z.number()),
  }),
);

const groundingSchema = once(() =>
  z.object({
    groundingChunks: z.array(z.unknown()).catch([]),
    groundingSupports: z.array(z.unknown()).catch([]),
  }),
);

const chunkSchema = once(() => z.object({ web: webSchema() }));

const partsSchema = once(() =>
  z.array(z.object({ text: z.string().catch(''), thought: z.boolean().catch(false) })).catch([]),
);

/** The text and the sources of a search answer. Invalid parts are ignored. */
export function readGroundedAnswer(response: Pick<GenerateContentResponse, 'candidates'>): GroundedAnswer {
  const candidate = response.candidates?.[0];
  const parts = partsSchema()
    .parse(candidate?.content?.parts)
    .map(({ text, thought }) => (thought ? '' : text));
  const grounding = groundingSchema().safeParse(candidate?.groundingMetadata ?? {}).data;
  const text = parts.join('').slice(0, MAX_ANSWER_CHARS);
  return {
    text,
    citations: (grounding?.groundingSupports ?? []).slice(0, MAX_CITATIONS).flatMap((it) => citationOf(it, parts)),
    sources: (grounding?.groundingChunks ?? []).slice(0, MAX_SOURCES).map(sourceOf),
  };
}

/** Offsets are relative to their part. */
function citationOf(support: unknown, parts: readonly string[]): readonly Citation[] {
  const parsed = supportSchema().safeParse(support);
  if (!parsed.success) return [];
  const { segment, groundingChunkIndices } = parsed.data;
  const before = parts.slice(0, Math.max(0, segment.partIndex ?? 0)).join('');
  return [{ end: Buffer.byteLength(before) + segment.endIndex, sources: groundingChunkIndices }];
}

/** An invalid chunk is kept as a placeholder, because citations refer to chunks by index. */
function sourceOf(chunk: unknown): GroundingSource {
  const web = chunkSchema().safeParse(chunk).data?.web;
  const title = oneLine(web?.title ?? web?.domain ?? '', MAX_TITLE_CHARS);
  return { title: title || 'Untitled', uri: web?.uri };
}

/** A passage of an answer that is based on sources. */
export interface Citation {
  /** The end of the passage, in UTF-8 bytes from the beginning of the answer. */
  readonly end: number;
  /** Indexes into the sources. */
  readonly sources: readonly number[];
}

/**
 * Inserts `[n]` after each passage with sources. Offsets count bytes, so the text is split as bytes. Offsets outside of
 * the text and unknown sources are ignored, and a mark is never inside a character.
 */
export function insertCitations(text: string, citations: readonly Citation[], sourceCount: number): string {
  const bytes = Buffer.from(text);
  const marks = new Map<number, Set<number>>();
  for (const { end, sources } of citations) {
    if (!Number.isInteger(end) || end < 0 || end > bytes.length) continue;
    const known = sources.filter((index) => Number.isInteger(index) && index >= 0 && index < sourceCount);
    const at = characterEnd(bytes, end);
    marks.set(at, new Set([...(marks.get(at) ?? []), ...known]));
  }
  const fromTheEnd = [...marks].sort(([a], [b]) => b - a);
  const pieces: string[] = [];
  let end = bytes.length;
  for (const [at, sources] of fromTheEnd) {
    const numbers = [...sources].sort((a, b) => a - b).map((index) => `[${index + 1}]`);
    pieces.unshift(numbers.join(''), bytes.toString('utf8', at, end));
    end = at;
  }
  return [bytes.toString('utf8', 0, end), ...pieces].join('');
}

/** Bytes of a character after its first byte start with the bits 10. */
function characterEnd(bytes: Buffer, offset: number): number {
  let end = offset;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end++;
  return end;
}
