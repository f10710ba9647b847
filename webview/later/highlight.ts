import { parserFor } from '../highlight/languages.ts';
import { LineTokens } from '../highlight/line-tokens.ts';
import { offerLater } from './later-bundles.ts';

/** A separate bundle: the grammars are larger than the panel, and the first paint does not need them. */
export function tokensFor(language: string): LineTokens | undefined {
  const parser = parserFor(language);
  return parser && new LineTokens(parser);
}

offerLater('highlight', { tokensFor });
