import type { Prices } from '../model/catalog/price-of.ts';
import type { ResolvedModel } from '../model/content-generator.ts';
import { OFFLINE_MODEL } from '../model/describe-model.ts';
import type { UtilityCall, UtilityModel } from '../model/utility-model.ts';
import { ProblemError } from '../protocol/problem.ts';
import type { SessionJournal } from '../sessions/session-journal.ts';
import { usageOf } from './session-title.ts';

/** Asks the model of the conversation, once. */
export class DirectUtilityModel implements UtilityModel {
  constructor(
    private readonly journal: SessionJournal,
    private readonly resolve: () => Promise<ResolvedModel>,
    private readonly prices: () => Prices,
  ) {}

  async text(
    { purpose, instruction, contents, timeoutMs = 60_000 }: UtilityCall,
    signal: AbortSignal,
  ): Promise<string> {
    const { model, generator } = await this.resolve();
    if (model === OFFLINE_MODEL) throw needsModel(purpose);
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const config = { systemInstruction: instruction };
    const answer = await generator.generateContent({ model, contents: [...contents], config }, limited);
    if (answer.usageMetadata) this.journal.append(usageOf(answer, model, this.prices()));
    const parts = answer.candidates?.[0]?.content?.parts ?? [];
    return parts.map(({ text = '', thought }) => (thought ? '' : text)).join('');
  }

  async json(call: UtilityCall, signal: AbortSignal): Promise<unknown> {
    return JSON.parse(await this.text(call, signal));
  }
}

function needsModel(purpose: string): ProblemError {
  return new ProblemError({
    kind: 'no-credential',
    title: `${purpose} needs a model`,
    detail: 'The offline guide is a script and cannot write one. Connect a model with Gantry: Set API Key….',
    actions: ['set-api-key'],
  });
}
