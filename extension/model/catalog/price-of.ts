import type { Price } from '../../ports/settings.ts';

export type Prices = Readonly<Record<string, Price>>;

/** The price whose name is the longest beginning of the model's id. */
export function priceOf(model: string, prices: Prices): Price | undefined {
  const names = Object.keys(prices).filter((name) => model.startsWith(name));
  const [longest] = names.sort((a, b) => b.length - a.length);
  return longest === undefined ? undefined : prices[longest];
}
