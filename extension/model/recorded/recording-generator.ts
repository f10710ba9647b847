import { redactor } from '../api-error.ts';
import type { AnswerChunk, ContentGenerator, CountRequest, GenerateRequest } from '../content-generator.ts';
import { addToRecord } from './record-file.ts';
import { keptOf, type RecordedAnswer } from './recorded-line.ts';

/** Appends every complete answer to a file, which Gantry and Gemini CLI can replay. The file contains no secrets. */
export class RecordingGenerator implements ContentGenerator {
  constructor(
    private readonly inner: ContentGenerator,
    private readonly file: string,
    private readonly secrets: () => Promise<readonly string[]>,
  ) {}

  async *generateContentStream(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<AnswerChunk> {
    const response: AnswerChunk[] = [];
    for await (const chunk of await this.inner.generateContentStream(request, signal)) {
      response.push(keptOf(chunk));
      yield chunk;
    }
    await this.add({ method: 'generateContentStream', response });
  }

  async generateContent(request: GenerateRequest, signal: AbortSignal): Promise<AnswerChunk> {
    const answer = await this.inner.generateContent(request, signal);
    await this.add({ method: 'generateContent', response: keptOf(answer) });
    return answer;
  }

  async countTokens(request: CountRequest, signal: AbortSignal): Promise<number> {
    if (!this.inner.countTokens) throw new Error('Whoever answers here cannot count.');
    const totalTokens = await this.inner.countTokens(request, signal);
    await this.add({ method: 'countTokens', response: { totalTokens } });
    return totalTokens;
  }

  private async add(answer: RecordedAnswer): Promise<void> {
    const redact = redactor((await this.secrets()).map((secret) => JSON.stringify(secret).slice(1, -1)));
    await addToRecord(this.file, redact(JSON.stringify(answer)));
  }
}
