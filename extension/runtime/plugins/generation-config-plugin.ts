import { BasePlugin, type LlmResponse } from '@google/adk';
import type { GenerationSettings } from '../../model/catalog/generation-settings.ts';
import type { Logger } from '../../ports/logger.ts';

type ModelCallback = Parameters<BasePlugin['beforeModelCallback']>[0];

/**
 * Adds the user's temperature, topP, topK and maximum output to the request. Other values keep the model's
 * configuration, and thinking is never changed here. Does not throw, because that would break the run.
 */
export class GenerationConfigPlugin extends BasePlugin {
  constructor(
    private readonly generation: () => GenerationSettings,
    private readonly log: Logger,
  ) {
    super('gantry_generation_config');
  }

  override async beforeModelCallback({ llmRequest }: ModelCallback): Promise<LlmResponse | undefined> {
    try {
      // A copy: ADK hands out the same nested objects with each request (docs/adk.md).
      llmRequest.config = { ...llmRequest.config, ...this.generation() };
    } catch (error) {
      this.log.error('The generation settings could not be read', error);
    }
    return undefined;
  }
}
