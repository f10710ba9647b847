import type { Content, FunctionResponse } from '@google/genai';
import { estimateTokens } from '../token-estimate.ts';
import { responseTokens } from './long-responses.ts';

/** Caches the sizes of contents. The contents of a history keep their identity. */
export class ContentSizes {
  private readonly tokensOf = new WeakMap<Content, number>();
  private readonly tokensOfResponse = new WeakMap<FunctionResponse, number>();
  private readonly charsOf = new WeakMap<Content, number>();

  tokens(contents: readonly Content[]): number {
    return contents.reduce((sum, content) => sum + known(this.tokensOf, content, () => estimateTokens([content])), 0);
  }

  responseTokens(response: FunctionResponse): number {
    return known(this.tokensOfResponse, response, () => responseTokens(response));
  }

  chars(content: Content): number {
    return known(this.charsOf, content, () => JSON.stringify(content).length);
  }
}

function known<Item extends WeakKey>(sizes: WeakMap<Item, number>, item: Item, measure: () => number): number {
  const size = sizes.get(item) ?? measure();
  sizes.set(item, size);
  return size;
}
