import { realPause } from '../../model/calls/model-calls.ts';
import { chainFor } from '../../model/calls/policy-chain.ts';
import type { ModelOverride } from '../../model/catalog/config-layers.ts';
import { type GenerationSettings, readGeneration } from '../../model/catalog/generation-settings.ts';
import { priceOf } from '../../model/catalog/known-models.ts';
import { LayeredModelConfigs } from '../../model/catalog/model-configs.ts';
import { readUserConfigs } from '../../model/catalog/user-configs.ts';
import type { ModelHealth } from '../../model/model-key.ts';
import { ModelRouter, routingStrategies } from '../../model/routing/model-router.ts';
import type { Host } from '../../ports/host.ts';
import { limitsCost } from './limits.ts';

/** Decides which model answers. Shared by all sessions of a service. */
export interface RoutingParts {
  readonly configs: LayeredModelConfigs;
  readonly health: ModelHealth;
  readonly router: ModelRouter;
  /** The user's generation settings, such as the temperature. */
  readonly generation: () => GenerationSettings;
  /** The current problems in the user's configuration. */
  readonly problems: () => readonly string[];
}

export function createRouting(
  host: Pick<Host, 'settings' | 'log' | 'clock'>,
  health: ModelHealth,
  /** Model overrides for requests of agents. */
  ofAgents: () => readonly ModelOverride[],
): RoutingParts {
  const { settings, log, clock } = host;
  const userConfigs = remembered(
    () => settings.modelConfigs?.(),
    (value) => readUserConfigs(value, settings.modelConfigsKey),
  );
  const generation = remembered(() => settings.generation?.(), readGeneration);
  const configs = new LayeredModelConfigs(() => {
    const { aliases, overrides } = userConfigs();
    return { aliases, overrides: [...ofAgents(), ...overrides] };
  });
  const strategies = routingStrategies({
    health,
    chains: { chainFor: (model) => (settings.keepsModel?.() ? [model] : chainFor(model)) },
    configs,
    // If costs are limited, requests to a model without a price are refused.
    mayChoose: (model) => !limitsCost(settings.limits()) || priceOf(model, settings.prices()) !== undefined,
    now: () => clock.now(),
    pause: realPause,
  });
  return {
    configs,
    health,
    router: new ModelRouter(strategies, log, clock),
    generation: () => generation().values,
    problems: () => [...userConfigs().problems, ...generation().problems].map(({ text }) => text),
  };
}

/** Compares the JSON text of the setting, because each read returns a new object. */
function remembered<Value>(ask: () => unknown, read: (raw: unknown) => Value): () => Value {
  let last: { readonly text: string | undefined; readonly value: Value } | undefined;
  return () => {
    const raw = ask();
    const text = JSON.stringify(raw);
    if (!last || last.text !== text) last = { text, value: read(raw) };
    return last.value;
  };
}
