import type { Tool } from '../../ports/tool.ts';
import { type AskModel, createGoogleWebSearchTool } from './google-web-search.ts';
import type { PinnedFetch } from './pinned-fetch.ts';
import { SourceLinks } from './source-links.ts';
import { createWebFetchTool } from './web-fetch.ts';

export interface WebParts {
  readonly generate: AskModel;
  readonly fetch: PinnedFetch;
}

/** What reaches the web. */
export function createWebTools({ generate, fetch }: WebParts): readonly Tool[] {
  return [createWebFetchTool(fetch), createGoogleWebSearchTool(generate, new SourceLinks(fetch))];
}
