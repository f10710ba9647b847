import type { AnswerChunk, ContentGenerator, GenerateRequest } from '../../model/content-generator.ts';
import type { SessionSecrets } from './session-secrets.ts';

/** The last door: whoever asks a model, also for a title or a commit message, sends what was checked and nothing else. */
export class FilteredGenerator implements ContentGenerator {
  constructor(
    private readonly generator: ContentGenerator,
    private readonly secrets: Pick<SessionSecrets, 'clean'>,
  ) {}

  async *generateContentStream(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<AnswerChunk> {
    yield* this.generator.generateContentStream(await this.checked(request), signal);
  }

  async generateContent(request: GenerateRequest, signal: AbortSignal): Promise<AnswerChunk> {
    return this.generator.generateContent(await this.checked(request), signal);
  }

  private async checked(request: GenerateRequest): Promise<GenerateRequest> {
    const { contents, config = request.config } = await this.secrets.clean(request);
    return { ...request, contents, config };
  }
}
