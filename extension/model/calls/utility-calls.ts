import type { GenerateContentConfig } from '@google/genai';
import * as l10n from '@vscode/l10n';
import { ProblemError } from '../../protocol/agent/problem.ts';
import { OFFLINE_MODEL } from '../catalog/describe-model.ts';
import { requestConfigFor } from '../catalog/request-config.ts';
import { parseJson } from '../json.ts';
import type { UtilityCall, UtilityModel } from '../utility-model.ts';
import type { CallEvent, ModelCall, Switching } from './model-call.ts';
import type { ModelCalls, WholeAnswer } from './model-calls.ts';
import { RetryPlan } from './retry-plan.ts';

export interface UtilityCallsParts {
  readonly calls: ModelCalls;
  readonly now: () => number;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
  /** Throws a `ProblemError` if this model must not be asked. */
  readonly allowed: (model: string) => void;
  /** Called for each answer, because it used tokens. */
  readonly used: (answer: WholeAnswer, call: UtilityCall) => void;
  /** The conversation's model, which may replace one that fails. */
  readonly active?: () => string;
}

/** Questions outside of a conversation. They switch models without asking the user. */
export class UtilityCalls implements UtilityModel {
  constructor(private readonly parts: UtilityCallsParts) {}

  text(call: UtilityCall, signal: AbortSignal): Promise<string> {
    return this.ask(call, {}, signal);
  }

  /** Asks once more if the answer is not JSON. */
  async json(
    call: UtilityCall & { readonly schema: Readonly<Record<string, unknown>> },
    signal: AbortSignal,
  ): Promise<unknown> {
    const config = { responseMimeType: 'application/json', responseJsonSchema: call.schema };
    const parsed = parseJson(await this.ask(call, config, signal));
    if (parsed !== undefined) return parsed;
    await this.parts.pause(new RetryPlan(this.parts.random).jittered(), signal);
    const again = parseJson(await this.ask(call, config, signal));
    if (again === undefined) throw noJson(call);
    return again;
  }

  private async ask(call: UtilityCall, config: GenerateContentConfig, signal: AbortSignal): Promise<string> {
    const { calls, now, used } = this.parts;
    const { timeoutMs } = call;
    const timeout = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
    const limited = timeout ? AbortSignal.any([signal, timeout]) : signal;
    try {
      const deadline = timeoutMs === undefined ? {} : { deadline: now() + timeoutMs };
      const answer = await calls.ask({ ...this.callOf(call, config), ...deadline }, limited, (event) =>
        this.check(event, call),
      );
      used(answer, call);
      const finishReason = answer.answer.candidates?.[0]?.finishReason ?? 'STOP';
      if (!COMPLETE.has(finishReason)) throw brokenOff(call, finishReason);
      return textOf(answer);
    } catch (error) {
      if (timeout?.aborted && !signal.aborted) throw tooLate(call, error);
      throw error;
    }
  }

  private callOf(
    { alias, contents, instruction, attempts, config }: UtilityCall,
    more: GenerateContentConfig,
  ): ModelCall {
    return {
      key: { model: alias },
      contents,
      config: (chosen) => {
        const { thinkingConfig, ...own } = config?.(chosen.model) ?? {};
        const wanted = { ...chosen.config, ...(thinkingConfig && { thinkingConfig }) };
        // The API rejects an empty instruction.
        const told = instruction === '' ? {} : { systemInstruction: instruction };
        return requestConfigFor({ ...told, ...own, ...more }, { ...chosen, config: wanted });
      },
      switching: this.switching(),
      ...(attempts !== undefined && { attempts }),
    };
  }

  private switching(): Switching {
    const { active } = this.parts;
    return { auto: false, silent: () => true, ...(active && { active: active() }) };
  }

  private check(event: CallEvent, { purpose }: UtilityCall): void {
    if (event.type !== 'attempt') return;
    if (event.resolved.model === OFFLINE_MODEL) throw needsModel(purpose);
    this.parts.allowed(event.resolved.model);
  }
}

/** Any other finish reason means a partial answer. In a conversation the reader notices that; here nobody would. */
const COMPLETE: ReadonlySet<string> = new Set(['STOP', 'FINISH_REASON_UNSPECIFIED']);

function textOf({ answer }: WholeAnswer): string {
  const parts = answer.candidates?.[0]?.content?.parts ?? [];
  return parts.map(({ text, thought }) => (thought ? '' : (text ?? ''))).join('');
}

function needsModel(purpose: string): ProblemError {
  return new ProblemError({
    kind: 'no-credential',
    title: l10n.t('{0} needs a model', purpose),
    detail: l10n.t(
      'The offline guide is a script and cannot write one. Connect a model first: set an API key, or choose another sign-in method.',
    ),
    actions: ['set-api-key', 'open-settings'],
  });
}

function tooLate({ purpose }: UtilityCall, cause: unknown): ProblemError {
  const detail = l10n.t('The model did not answer in time. Nothing was changed; try again later.');
  return new ProblemError(
    { kind: 'unreachable', title: l10n.t('{0} took too long', purpose), detail, actions: ['show-log'] },
    { cause },
  );
}

function brokenOff({ purpose }: UtilityCall, finishReason: string): ProblemError {
  const isTooLong = finishReason === 'MAX_TOKENS';
  const why = isTooLong
    ? l10n.t('The model reached its length limit')
    : l10n.t('The service cut off the answer ({0})', finishReason);
  return new ProblemError({
    kind: isTooLong ? 'bad-stream' : 'refused-by-model',
    title: l10n.t('{0} is not complete', purpose),
    detail: l10n.t('{0}. The incomplete answer was discarded, and nothing was changed. Trying again may help.', why),
    actions: ['switch-model', 'show-log'],
  });
}

function noJson({ purpose }: UtilityCall): ProblemError {
  const detail = l10n.t(
    'The model answered twice with something that is not JSON. Nothing was changed; try again later.',
  );
  return new ProblemError({
    kind: 'bad-stream',
    title: l10n.t('{0} could not be read', purpose),
    detail,
    actions: ['show-log'],
  });
}
