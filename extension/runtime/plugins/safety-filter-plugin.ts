import { BasePlugin, type LlmResponse } from '@google/adk';
import { unlessAborted } from '../../base/abort.ts';
import { problemOf } from '../../model/model-problem.ts';
import type { Logger } from '../../ports/logger.ts';
import type { FoundSecret } from '../../safety/request-cleaner.ts';
import { secretKindText } from '../../safety/secret-kinds.ts';
import type { RecordBody } from '../../sessions/session-record.ts';
import { type SessionSecrets, takeOver } from '../request/session-secrets.ts';

type ModelCallback = Parameters<BasePlugin['beforeModelCallback']>[0];
type AnswerCallback = Parameters<BasePlugin['afterModelCallback']>[0];

export interface SafetyEffects {
  /** The ids of the secrets that were reported to the user. */
  told(): ReadonlySet<string>;
  tell(record: RecordBody): void;
}

/**
 * Removes secrets and hidden characters from a request, after the hooks, so that text they add is checked too. The log
 * keeps the original. Nothing here throws; a request that could not be checked is not sent. It also reports
 * what was replaced in an answer.
 */
export class SafetyFilterPlugin extends BasePlugin {
  private toldOfHidden = false;

  constructor(
    private readonly secrets: SessionSecrets,
    private readonly effects: SafetyEffects,
    private readonly log: Logger,
  ) {
    super('gantry_safety');
  }

  override async beforeModelCallback({ callbackContext, llmRequest }: ModelCallback): Promise<LlmResponse | undefined> {
    const signal = callbackContext.abortSignal ?? new AbortController().signal;
    try {
      // The user's keys may be in a store that asks for a password first. A request that was stopped is not sent
      // anyway.
      const clean = await unlessAborted(this.secrets.clean(llmRequest), signal);
      if (!clean) return undefined;
      takeOver(llmRequest, clean);
      this.tell(clean.found, clean.hidden);
      return undefined;
    } catch (error) {
      this.log.error('A request was not sent, because it could not be checked for secrets', error);
      const problem = problemOf(error);
      return { errorCode: problem.kind, errorMessage: problem.title, customMetadata: { problem }, interrupted: true };
    }
  }

  /** `AgentModel` has cleaned the answer while it arrived, because a plugin can't hold back the end of a chunk. */
  override afterModelCallback({ llmResponse }: AnswerCallback): Promise<undefined> {
    if (!llmResponse.partial) {
      const { secrets, hidden } = this.secrets.takeReplaced();
      if (secrets.length > 0 || hidden > 0) this.report(secrets, hidden, { inAnswer: true });
    }
    return Promise.resolve(undefined);
  }

  /** Reports each secret once per session, with one record per request. */
  private tell(found: readonly FoundSecret[], hidden: number): void {
    const told = this.effects.told();
    const fresh = found.filter(({ id }) => !told.has(id));
    const tellsHidden = hidden > 0 && !this.toldOfHidden;
    if (fresh.length === 0 && !tellsHidden) return;
    this.toldOfHidden ||= hidden > 0;
    this.report(fresh, tellsHidden ? hidden : 0);
  }

  private report(found: readonly Omit<FoundSecret, 'value'>[], hidden: number, place: { inAnswer?: true } = {}): void {
    const secrets = found.map(({ id, kind, where }) => ({ id, what: secretKindText(kind), where }));
    this.effects.tell({ type: 'left_out', secrets, hidden, ...place });
  }
}
