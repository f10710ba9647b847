/** How many tokens a model can be sent. */
export function windowOf(model: string): number {
  return /gemma-4/.test(model) ? 256_000 : 1_048_576;
}
