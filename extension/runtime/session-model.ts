import type { Event } from '@google/adk';
import { priceOf } from '../model/catalog/price-of.ts';
import type { ResolvedModel } from '../model/content-generator.ts';
import type { ModelConfigs } from '../model/model-key.ts';
import type { ModelSource } from '../model/model-source.ts';
import { ProblemError } from '../protocol/problem.ts';
import type { SessionJournal } from '../sessions/session-journal.ts';
import type { Host, Limits } from './host.ts';
import { limitsCost } from './limits.ts';
import { costOf } from './prices.ts';
import type { SessionOptions } from './session-parts.ts';

/** Which model answers in one session, within which limits and at what price. */
export class SessionModel {
  /** The one that was asked last. */
  private asked = '';

  constructor(
    private readonly shared: {
      readonly host: Pick<Host, 'settings'>;
      readonly models: ModelSource;
      readonly routing: { readonly configs: ModelConfigs };
    },
    private readonly journal: SessionJournal,
    private readonly options: SessionOptions,
  ) {}

  /** The one that would be asked, as it was chosen. */
  get name(): string {
    return this.journal.history.chosenModel ?? this.options.model ?? this.shared.host.settings.modelName();
  }

  /** The one that was asked last, or would be. */
  get current(): string {
    return this.asked || this.name;
  }

  async resolve(model = this.name): Promise<ResolvedModel> {
    const { models, routing } = this.shared;
    return models.resolve(routing.configs.resolve({ model, isChat: true }).model);
  }

  /** It is about to be asked. */
  announce({ label, model }: ResolvedModel): void {
    const { settings } = this.shared.host;
    this.asked = model;
    if (limitsCost(this.limits()) && !priceOf(model, settings.prices())) throw noPrice(model);
    if (label !== this.journal.history.modelLabel) this.journal.append({ type: 'model', label });
  }

  limits(): Limits {
    const limits = this.shared.host.settings.limits();
    const { maxTurns } = this.options;
    return maxTurns === undefined ? limits : { ...limits, prompt: { ...limits.prompt, turns: maxTurns } };
  }

  costOf(event: Event): number | undefined {
    return costOf(event, this.asked, this.shared.host.settings.prices());
  }
}

export function noPrice(model: string): ProblemError {
  return new ProblemError({
    kind: 'bad-configuration',
    title: `The price of ${model} is not known`,
    detail: 'You set a limit for costs, so nothing was sent. Add the model to gantry.model.prices, or lift the limit.',
    actions: ['open-settings', 'retry'],
  });
}
