import type { Content } from '@google/genai';
import * as l10n from '@vscode/l10n';
import { unlessAborted } from '../../base/abort.ts';
import { News } from '../../base/news.ts';
import { OFFLINE_MODEL } from '../../model/catalog/describe-model.ts';
import type { ModelConfigs, ModelHealth } from '../../model/model-key.ts';
import type { ModelRouter, RoutedModel } from '../../model/routing/model-router.ts';
import { FALLBACK } from '../../model/routing/strategies.ts';
import type { Logger } from '../../ports/logger.ts';
import type { ApprovalMode } from '../../protocol/agent/approval-mode.ts';
import { type Problem, ProblemError } from '../../protocol/agent/problem.ts';
import type { SessionJournal } from '../../sessions/session-journal.ts';
import type { SessionRecord } from '../../sessions/session-record.ts';
import type { SessionModel } from './session-model.ts';

export interface SessionRoutingParts {
  readonly router: ModelRouter;
  readonly configs: ModelConfigs;
  readonly health: ModelHealth;
  /** Problems in the user's model configuration. */
  readonly problems: () => readonly string[];
  readonly journal: Pick<SessionJournal, 'onRecord' | 'append'>;
  readonly model: Pick<SessionModel, 'name' | 'lastAsked' | 'resolve' | 'utility'>;
  readonly mode: () => ApprovalMode;
  readonly warn: (problem: Problem) => void;
  readonly log: Logger;
}

/** The reasons that end a sequence, so that the next request is routed again. */
export type ResetPoint = 'new message' | 'model changed' | 'mode changed' | 'rewind' | 'model unavailable';

/** A message and all requests that follow from it use one model, so that the model stays consistent. */
interface Sequence {
  readonly requested: string;
  readonly mode: ApprovalMode;
  readonly model: string;
}

/** Chooses the model for the requests of one session. */
export class SessionRouting {
  private sequence: Sequence | undefined;
  private hasApprovedPlan = false;
  private readonly news = new News<string>();

  constructor(private readonly parts: SessionRoutingParts) {
    parts.journal.onRecord((record) => this.take(record));
  }

  /** The model for a request; undefined leaves the choice to the settings. Never rejects. */
  async modelFor(contents: readonly Content[], signal: AbortSignal): Promise<string | undefined> {
    try {
      const reset = this.resetPoint();
      if (reset !== undefined) this.reset(reset);
      this.sequence ??= await this.route(contents, signal);
      return this.sequence?.model;
    } catch (error) {
      // Problems in the settings are reported when the request is made.
      if (!ProblemError.is(error)) this.parts.log.error('No model was chosen for the request', error);
      return undefined;
    }
  }

  private async route(contents: readonly Content[], signal: AbortSignal): Promise<Sequence | undefined> {
    const { router, model } = this.parts;
    const requested = model.name;
    const mode = this.parts.mode();
    this.reportProblems();
    // Also undefined if the run was stopped, or the key store was not opened.
    const found = await unlessAborted(model.resolve(), signal);
    if (!found || found.model === OFFLINE_MODEL) return undefined;
    const { hasApprovedPlan } = this;
    const routed = await router.route(
      { model: requested, mode, hasApprovedPlan, contents, utility: model.utility },
      signal,
    );
    if (signal.aborted) return undefined;
    if (routed.source === FALLBACK && routed.model !== model.lastAsked) this.reportSwitch(requested, routed);
    return { requested, mode, model: routed.model };
  }

  /** Records that an unavailable model was skipped, which is a switch like any other. */
  private reportSwitch(requested: string, { model: to, reason: why }: RoutedModel): void {
    const { journal, configs } = this.parts;
    const { model: from } = configs.resolve({ model: requested, isChat: true });
    journal.append({ type: 'model_switched', from, to, why });
  }

  private resetPoint(): ResetPoint | undefined {
    const { sequence } = this;
    if (!sequence) return undefined;
    const mode = this.parts.mode();
    if (sequence.requested !== this.parts.model.name) return 'model changed';
    if (mode !== sequence.mode && [mode, sequence.mode].some(isAnotherWayToWork)) return 'mode changed';
    const { model } = this.parts.configs.resolve({ model: sequence.model, isChat: true });
    return this.parts.health.isAvailable(model) ? undefined : 'model unavailable';
  }

  private take(record: SessionRecord): void {
    switch (record.type) {
      case 'sent':
        // A retry has no message and continues the sequence.
        if (record.event) this.reset('new message');
        break;
      case 'choice':
        this.reset('model changed');
        break;
      case 'rewind':
      case 'rewind_undone':
        // The plan that now applies is not determined: without a plan, the message decides.
        this.hasApprovedPlan = false;
        this.reset('rewind');
        break;
      case 'tool_finished':
        if (record.state === 'success' && record.result.data?.['approvedPlan'] !== undefined)
          this.hasApprovedPlan = true;
    }
  }

  private reset(point: ResetPoint): void {
    if (this.sequence) this.parts.log.debug(`The model is chosen anew: ${point}`);
    this.sequence = undefined;
  }

  private reportProblems(): void {
    const problems = this.news.take(this.parts.problems());
    if (problems.length > 0) this.parts.warn(ignoredConfiguration(problems));
  }
}

/** Entering or leaving these modes starts a new sequence, as in Gemini CLI. The others differ only in questions. */
function isAnotherWayToWork(mode: ApprovalMode): boolean {
  return mode === 'plan' || mode === 'yolo';
}

function ignoredConfiguration(problems: readonly string[]): Problem {
  return {
    kind: 'bad-configuration',
    title: l10n.t('Part of the model configuration is invalid and was ignored'),
    detail: l10n.t('{0}. The rest applies, and your message was sent.', problems.join('. ')),
    actions: ['open-settings'],
  };
}
