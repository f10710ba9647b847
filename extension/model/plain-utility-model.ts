import { requestConfigFor } from './catalog/request-config.ts';
import type { AnswerChunk } from './content-generator.ts';
import type { ModelConfigs } from './model-key.ts';
import type { ModelSource } from './model-source.ts';
import type { UtilityCall, UtilityModel } from './utility-model.ts';

/** One request, one answer. */
export class PlainUtilityModel implements UtilityModel {
  constructor(
    private readonly models: Pick<ModelSource, 'resolve'>,
    private readonly configs: ModelConfigs,
  ) {}

  async text(call: UtilityCall, signal: AbortSignal): Promise<string> {
    return textOf(await this.ask(call, {}, signal));
  }

  async json(
    call: UtilityCall & { readonly schema: Readonly<Record<string, unknown>> },
    signal: AbortSignal,
  ): Promise<unknown> {
    const structured = { responseMimeType: 'application/json', responseJsonSchema: call.schema };
    return JSON.parse(textOf(await this.ask(call, structured, signal)));
  }

  private async ask(
    { alias, instruction, contents }: UtilityCall,
    structured: { readonly responseJsonSchema?: unknown },
    signal: AbortSignal,
  ): Promise<AnswerChunk> {
    const config = this.configs.resolve({ model: alias });
    const { model, generator } = await this.models.resolve(config.model);
    const request = requestConfigFor({ systemInstruction: instruction, ...structured }, { ...config, model });
    return generator.generateContent({ model, contents: [...contents], config: request }, signal);
  }
}

function textOf({ candidates }: AnswerChunk): string {
  const parts = candidates?.[0]?.content?.parts ?? [];
  return parts.map(({ text, thought }) => (thought ? '' : (text ?? ''))).join('');
}
