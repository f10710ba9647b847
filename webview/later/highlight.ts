import { parserFor } from '../highlight/languages.ts';
import { LineTokens } from '../highlight/line-tokens.ts';
import { offerLater } from './later-bundles.ts';

/** A bundle of its own: the grammars are larger than the panel, and the first paint does without them. */
export function tokensFor(language: string): LineTokens | undefined {
  const parser = parserFor(language);
  return parser && new LineTokens(parser);
}

offerLater('highlight', { tokensFor });
