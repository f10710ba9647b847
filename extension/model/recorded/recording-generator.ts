import { appendFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isMissing } from '../../files/error-code.ts';
import { failureReason } from '../../files/file-failure.ts';
import { ProblemError } from '../../protocol/agent/problem.ts';
import { redactor } from '../api-error.ts';
import type { AnswerChunk, ContentGenerator, CountRequest, GenerateRequest } from '../content-generator.ts';
import { keptOf, type RecordedAnswer } from './recorded-line.ts';

/** Adds every answer that came to its end to a file, which can be replayed by us and by Gemini CLI. No secret is in it. */
export class RecordingGenerator implements ContentGenerator {
  constructor(
    private readonly inner: ContentGenerator,
    private readonly file: string,
    private readonly secrets: () => Promise<readonly string[]>,
  ) {}

  async *generateContentStream(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<AnswerChunk> {
    const response: AnswerChunk[] = [];
    for await (const chunk of this.inner.generateContentStream(request, signal)) {
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

/** Before anything is sent: an answer that cannot be recorded costs as much as one that can. */
export function checkRecord(file: string): Promise<void> {
  return add(file, '', 'Nothing was sent');
}

function addToRecord(file: string, line: string): Promise<void> {
  return add(file, `${line}\n`, 'The session is kept');
}

async function add(file: string, text: string, kept: string): Promise<void> {
  try {
    // What the model said of the workspace is for nobody else on this machine.
    await appendFile(file, text, { mode: 0o600 });
  } catch (cause) {
    const why = isMissing(cause) ? `there is no folder ${dirname(file)}` : failureReason(cause);
    throw new ProblemError(
      {
        kind: 'bad-input',
        title: 'The answers cannot be recorded',
        detail: `${file}: ${why}. ${kept}. Name another file with --record.`,
        actions: [],
      },
      { cause },
    );
  }
}
