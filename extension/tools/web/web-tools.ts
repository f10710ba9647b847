import type { Tool } from '../../ports/tool.ts';
import type { ToolParts } from '../product-tools.ts';
import { createGoogleWebSearchTool } from './google-web-search.ts';
import type { PinnedFetch } from './pinned-fetch.ts';
import { SourceLinks } from './source-links.ts';
import { createWebFetchTool } from './web-fetch.ts';

export interface WebParts {
  readonly generate: ToolParts['generate'];
  readonly fetch: PinnedFetch;
}

/** What reaches the web. */
export function createWebTools({ generate, fetch }: WebParts): readonly Tool[] {
  return [createWebFetchTool(fetch), createGoogleWebSearchTool(generate, new SourceLinks(fetch))];
}
