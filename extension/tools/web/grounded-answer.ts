import type { GenerateContentResponse } from '@google/genai';
import { z } from 'zod';
import { once } from '../../base/once.ts';
import { oneLine } from '../../text/one-line.ts';
import type { Citation } from './citations.ts';

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
