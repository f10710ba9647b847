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
  /** Tracks which models are available. */
  readonly health: ModelAvailability;
  readonly routing: RoutingParts;
}

/** Options for the session that override the settings. */
interface ModelOptions {
  readonly model?: string;
  readonly maxTurns?: number;
}

/** The model of one session, its limits and its prices. */
export class SessionModel {
  /** The model of the last request, and the choice that it resulted from. */
  private asked = '';
  private askedFor = '';
  private named: string;

  /** Makes requests outside of the conversation. Their tokens count like the others. */
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

  /** The agent that makes the requests, for configurations that apply to one agent. */
  get scope(): { readonly scope?: string } {
    return this.subagent ? { scope: this.subagent.name } : {};
  }

  get calls(): ModelCalls {
    return this.shared.modelCalls;
  }

  /** The model of the next request, as it was chosen. */
  get name(): string {
    const { openRun, chosenModel } = this.journal.history;
    return openRun?.model ?? chosenModel ?? this.options.model ?? this.shared.host.settings.modelName();
  }

  /** The model of the last request; the chosen model if there was none. */
  get lastAsked(): string {
    return this.asked || this.name;
  }

  /** The model of the last request, or of the next one if the choice changed since. Never a choice such as `auto`. */
  get current(): string {
    return this.askedFor === this.name ? this.asked : this.chosen;
  }

  /** The model that the user's choice resolves to, whichever model answers in its place. Never a choice such as `auto`. */
  get chosen(): string {
    const { name } = this;
    try {
      return this.shared.routing.configs.resolve({ model: name, isChat: true }).model;
    } catch {
      // The alias does not resolve. The request reports that; here it must not prevent the panel from being drawn.
      return name;
    }
  }

  async resolve(model = this.name): Promise<ResolvedModel> {
    const { models, routing } = this.shared;
    return models.resolve(routing.configs.resolve({ model, isChat: true }).model);
  }

  /** Announces the model of the next request. Throws if costs are limited and its price is unknown. */
  announce({ label, model }: ResolvedModel): void {
    const { settings } = this.shared.host;
    this.asked = model;
    this.askedFor = this.name;
    if (limitsCost(this.limits()) && !priceOf(model, settings.prices())) throw noPrice(model);
    if (label !== this.journal.history.modelLabel) this.journal.append({ type: 'model', label });
  }

  /** Makes models available again after a new message of the user, or after the user chose a model. */
  take(record: SessionRecord): void {
    const { health } = this.shared;
    if (record.type === 'sent' && record.event && !this.subagent?.leader) health.resetTurn();
    if (record.type === 'choice' || record.type === 'model_setting') health.markHealthy(record.model);
  }

  /** Records the new model in a conversation that follows the settings. Offline, no configured model answers. */
  settingsChanged(offline: boolean): void {
    const before = this.named;
    this.named = this.shared.host.settings.modelName();
    const { chosenModel, events } = this.journal.history;
    const isOwn = this.subagent?.leader !== undefined || (chosenModel ?? this.options.model) !== undefined;
    if (this.named === before || isOwn || offline || events.length === 0) return;
    this.journal.append({ type: 'model_setting', model: this.named });
  }

  /** Makes a request for a tool. */
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
