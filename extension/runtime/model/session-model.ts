import type { Event } from '@google/adk';
import type { ModelAvailability } from '../../model/calls/model-availability.ts';
import type { ModelCall } from '../../model/calls/model-call.ts';
import type { ModelCalls } from '../../model/calls/model-calls.ts';
import { priceOf } from '../../model/catalog/known-models.ts';
import { requestConfigFor } from '../../model/catalog/request-config.ts';
import type { AnswerChunk, GenerateRequest, ResolvedModel } from '../../model/content-generator.ts';
import type { ModelSource } from '../../model/model-source.ts';
import type { UtilityModel } from '../../model/utility-model.ts';
import type { Limits } from '../../ports/settings.ts';
import type { SessionJournal } from '../../sessions/session-journal.ts';
import type { SessionRecord } from '../../sessions/session-record.ts';
import type { Subagent } from '../agents/subagent.ts';
import type { RoutingParts } from './create-routing.ts';
import { limitsCost } from './limits.ts';
import { costOf, noPrice } from './prices.ts';
import { createUtilityModel, type UtilityParts, usageOf } from './utility-model.ts';

interface SessionModelParts extends UtilityParts {
  readonly models: ModelSource;
  /** Which models answer. */
  readonly health: ModelAvailability;
  readonly routing: RoutingParts;
}

/** What was asked for when the session was created, instead of the settings. */
interface ModelOptions {
  readonly model?: string;
  readonly maxTurns?: number;
}

/** Which model answers in one session, within which limits and at what price. */
export class SessionModel {
  /** The one that was asked last, and what was chosen then. */
  private asked = '';
  private askedFor = '';
  private named: string;

  /** For what is no part of the conversation. Its tokens count like the others. */
  readonly utility: UtilityModel;

  constructor(
    private readonly shared: SessionModelParts,
    private readonly journal: SessionJournal,
    private readonly options: ModelOptions,
    private readonly subagent?: Subagent,
  ) {
    this.named = shared.host.settings.modelName();
    this.utility = createUtilityModel(shared, {
      used: ({ answer, model }) => {
        if (answer.usageMetadata) journal.append(usageOf(answer, model, shared.host.settings.prices()));
      },
      limits: () => this.limits(),
      active: () => this.current,
    });
  }

  /** Whose requests they are, for those who configure models. */
  get scope(): { readonly scope?: string } {
    return this.subagent ? { scope: this.subagent.name } : {};
  }

  get calls(): ModelCalls {
    return this.shared.modelCalls;
  }

  /** The one that would be asked, as it was chosen. */
  get name(): string {
    return this.journal.history.chosenModel ?? this.options.model ?? this.shared.host.settings.modelName();
  }

  /** The one that was asked last; what was chosen, as long as none was. */
  get lastAsked(): string {
    return this.asked || this.name;
  }

  /** The one that was asked last or, when another was chosen since, would be. Never a name for a choice, such as `auto`. */
  get current(): string {
    const { name } = this;
    if (this.askedFor === name) return this.asked;
    try {
      return this.shared.routing.configs.resolve({ model: name, isChat: true }).model;
    } catch {
      // An alias that leads nowhere. That is reported when the model is asked, and must not keep the panel from being drawn.
      return name;
    }
  }

  async resolve(model = this.name): Promise<ResolvedModel> {
    const { models, routing } = this.shared;
    return models.resolve(routing.configs.resolve({ model, isChat: true }).model);
  }

  /** It is about to be asked. */
  announce({ label, model }: ResolvedModel): void {
    const { settings } = this.shared.host;
    this.asked = model;
    this.askedFor = this.name;
    if (limitsCost(this.limits()) && !priceOf(model, settings.prices())) throw noPrice(model);
    if (label !== this.journal.history.modelLabel) this.journal.append({ type: 'model', label });
  }

  /** A new message of the user's gives every model another chance, and so does choosing one. */
  take(record: SessionRecord): void {
    const { health } = this.shared;
    if (record.type === 'sent' && record.event && !this.subagent?.leader) health.resetTurn();
    if (record.type === 'choice' || record.type === 'model_setting') health.markHealthy(record.model);
  }

  /** Said in a conversation that goes by the settings. Offline, whatever they name does not answer. */
  settingsChanged(offline: boolean): void {
    const before = this.named;
    this.named = this.shared.host.settings.modelName();
    const { chosenModel, events } = this.journal.history;
    const isOwn = this.subagent?.leader !== undefined || (chosenModel ?? this.options.model) !== undefined;
    if (this.named === before || isOwn || offline || events.length === 0) return;
    this.journal.append({ type: 'model_setting', model: this.named });
  }

  /** For tools that ask a model themselves. */
  async generate(request: Omit<GenerateRequest, 'model'>, signal: AbortSignal): Promise<AnswerChunk> {
    const call: ModelCall = {
      key: { model: this.name, ...this.scope },
      contents: request.contents,
      config: (chosen) => requestConfigFor(request.config, chosen),
      switching: { auto: false, silent: () => true, active: this.current },
    };
    return (await this.calls.ask(call, signal)).answer;
  }

  limits(): Limits {
    const limits = this.shared.host.settings.limits();
    const { maxTurns } = this.options;
    const set = maxTurns === undefined ? limits : { ...limits, prompt: { ...limits.prompt, turns: maxTurns } };
    return this.subagent?.limits(set) ?? set;
  }

  costOf(event: Event): number | undefined {
    return costOf(event, this.asked, this.shared.host.settings.prices());
  }
}
