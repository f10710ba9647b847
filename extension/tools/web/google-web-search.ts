import type { Content, GenerateContentConfig, GenerateContentResponse } from '@google/genai';
import * as z from 'zod';
import { errorText } from '../../base/errors.ts';
import { once } from '../../base/once.ts';
import { type Tool, type ToolContext, type ToolResult, toolError } from '../../ports/tool.ts';
import type { ToolDisplay } from '../../protocol/agent/agent-event.ts';
import { oneLine } from '../../text/one-line.ts';
import { asUntrusted } from '../../text/untrusted.ts';
import { countText } from '../summary-words.ts';
import { type GroundedAnswer, insertCitations, readGroundedAnswer } from './grounded-answer.ts';
import type { SourceLinks } from './source-links.ts';

const DISPLAY_NAME = 'GoogleSearch';

const searchSchema = once(() =>
  z.object({
    query: z
      .string()
      .max(2000)
      .refine((query) => query.trim() !== '', { error: 'must not be empty' })
      .describe('A question or search terms.'),
  }),
);

/** Sends a separate request to the model, outside the conversation. */
export type AskModel = (
  request: { readonly contents: Content[]; readonly config: GenerateContentConfig },
  signal: AbortSignal,
) => Promise<Pick<GenerateContentResponse, 'candidates'>>;

interface Source {
  readonly title: string;
  readonly url?: string;
}

/** It uses the network, so unlike other searches, it isn't available in Restricted Mode. */
export function createGoogleWebSearchTool(
  generate: AskModel,
  links: SourceLinks,
): Tool<ReturnType<typeof searchSchema>> {
  return {
    name: 'google_web_search',
    displayName: DISPLAY_NAME,
    kind: 'fetch',
    description:
      'Searches the web with Google and returns an answer with numbered sources. Use it for what the workspace cannot ' +
      'answer: current versions, error messages, documentation. To read a source in full, use web_fetch.',
    get schema() {
      return searchSchema();
    },
    longOutput: true,
    describe: ({ query }) => (typeof query === 'string' ? oneLine(query, 300) : ''),
    execute: ({ query }, context) => search(query, context, generate, links),
  };
}

async function search(
  query: string,
  { signal }: ToolContext,
  generate: AskModel,
  links: SourceLinks,
): Promise<ToolResult> {
  try {
    signal.throwIfAborted();
    const contents = [{ role: 'user', parts: [{ text: query }] }];
    const answer = readGroundedAnswer(await generate({ contents, config: { tools: [{ googleSearch: {} }] } }, signal));
    const urls = await links.resolve(
      answer.sources.map(({ uri }) => uri),
      signal,
    );
    signal.throwIfAborted();
    return resultOf(query, answer, withUrls(answer, urls));
  } catch (error) {
    if (signal.aborted) return failed(query, 'cancelled', 'The search was cancelled.');
    const detail = errorText(error);
    return failed(
      query,
      'web_search_failed',
      `The web search failed: ${detail}\nContinue without it, or read a known page with web_fetch.`,
    );
  }
}

function withUrls({ sources }: GroundedAnswer, urls: readonly (string | undefined)[]): readonly Source[] {
  return sources.map(({ title }, index) => {
    const url = urls[index];
    return url === undefined ? { title } : { title, url };
  });
}

function resultOf(query: string, { text, citations }: GroundedAnswer, sources: readonly Source[]): ToolResult {
  if (text.trim() === '') {
    return { content: 'The search found nothing. Try other words.', display: display(query, 'nothing found', null) };
  }
  const cited = insertCitations(text, citations, sources.length);
  const list = sources.map(({ title, url }, index) => `[${index + 1}] ${title}${url === undefined ? '' : ` (${url})`}`);
  const content = asUntrusted(list.length === 0 ? cited : `${cited}\n\nSources:\n${list.join('\n')}`);
  return { content, display: display(query, countText(sources.length, 'source'), list.join('\n')), data: { sources } };
}

function failed(query: string, type: 'cancelled' | 'web_search_failed', message: string): ToolResult {
  return { ...toolError(type, message), display: display(query, null, null) };
}

function display(query: string, resultSummary: string | null, text: string | null): ToolDisplay {
  return {
    name: DISPLAY_NAME,
    description: oneLine(query, 300),
    resultSummary,
    result: text === null || text === '' ? null : { type: 'text', text },
  };
}
