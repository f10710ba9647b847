import type { LocalAgent } from '../../agents/agent-definition.ts';
import type { ModelOverride } from '../../model/catalog/config-layers.ts';

/** What settings have sent along with the requests of agents, such as how much a model thinks for them. */
export function modelOverridesOf(agents: readonly LocalAgent[]): ModelOverride[] {
  return agents.flatMap(({ name, generation }) =>
    generation ? { match: { overrideScope: name }, modelConfig: { generateContentConfig: generation } } : [],
  );
}
