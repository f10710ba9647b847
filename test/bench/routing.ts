import { LayeredModelConfigs } from '../../extension/model/catalog/model-configs.ts';
import { requestConfigFor } from '../../extension/model/catalog/request-config.ts';
import { readUserConfigs } from '../../extension/model/catalog/user-configs.ts';
import { ModelRouter, routingStrategies } from '../../extension/model/routing/model-router.ts';
import { percentile } from './statistics.ts';

export interface RoutingCost {
  readonly p50: number;
  readonly p99: number;
}

const REQUESTS = 5000;
const SILENT = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Microseconds to find model and configuration of one request, without the answer of the model that rates messages. */
export async function measureRouting(aliases: number): Promise<RoutingCost> {
  const chain = Array.from({ length: aliases }, (_, at): [string, object] => [
    `alias-${at}`,
    { extends: at === 0 ? 'chat-base' : `alias-${at - 1}`, modelConfig: { model: 'pro' } },
  ]);
  const overrides = chain.map(([model], at) => ({
    match: { model },
    modelConfig: { generateContentConfig: { topK: at + 1 } },
  }));
  const user = readUserConfigs({ aliases: Object.fromEntries(chain), overrides });
  const configs = new LayeredModelConfigs(() => user);
  const strategies = routingStrategies({
    configs,
    health: { isAvailable: () => true },
    chains: { chainFor: (model) => [model] },
    mayChoose: () => true,
    now: () => 0,
    pause: () => new Promise(() => undefined),
  });
  const router = new ModelRouter(strategies, SILENT, { now: () => 0 });
  const contents = Array.from({ length: 10_000 }, (_, at) => ({ role: 'user', parts: [{ text: `Message ${at}` }] }));
  const utility = { text: () => Promise.resolve(''), json: () => Promise.resolve({ complexity_score: 20 }) };
  const asked = { mode: 'default', hasApprovedPlan: false, contents, utility } as const;
  const signal = new AbortController().signal;
  const times: number[] = [];
  for (let count = 0; count < REQUESTS; count++) {
    const start = performance.now();
    const model = count % 2 === 0 || aliases === 0 ? 'auto' : `alias-${aliases - 1}`;
    const routed = await router.route({ ...asked, model }, signal);
    requestConfigFor({ tools: [] }, configs.resolve({ model: routed.model, isChat: true }));
    times.push((performance.now() - start) * 1000);
  }
  return { p50: percentile(times, 50), p99: percentile(times, 99) };
}
