/** Of Gemini models, and of models nobody knows anything about. */
const USUAL_WINDOW = 1_048_576;
const GEMMA_WINDOW = 256_000;

/** How many tokens a model takes in. */
export function contextWindow(model: string): number {
  return model.startsWith('gemma-4') ? GEMMA_WINDOW : USUAL_WINDOW;
}
