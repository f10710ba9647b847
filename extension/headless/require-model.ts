import { currentCredential } from '../model/describe-model.ts';
import { ProblemError } from '../protocol/problem.ts';
import type { Host } from '../runtime/host.ts';

/**
 * Rejects with a `ProblemError` when nothing was set up that could answer. The offline guide does not step in: a script
 * would take its words for a model's.
 */
export async function requireModel(host: Host): Promise<void> {
  const isChosen = host.recorded?.replay !== undefined || host.settings.authMethod() === 'offline';
  if (isChosen || (await currentCredential(host)).kind !== 'offline') return;
  throw new ProblemError({
    kind: 'no-credential',
    title: 'No model is configured',
    detail:
      'Nothing was sent. Set GEMINI_API_KEY to a key, which https://aistudio.google.com/apikey gives you, or set up a gateway or Vertex AI as --help says. ' +
      'To see Gantry without a model, ask its offline guide with --model guide.',
    actions: [],
  });
}
