import { readFile } from 'node:fs/promises';
import { failureReason } from '../../files/file-failure.ts';
import { ProblemError } from '../../protocol/agent/problem.ts';
import type { AnswerChunk, ContentGenerator, CountRequest, GenerateRequest } from '../content-generator.ts';
import { AnswerCheck } from '../http/answer-check.ts';
import { ModelFailureError } from '../model-failure.ts';
import { modelProblem } from '../model-problem.ts';
import { parseRecorded, type RecordedAnswer, type RecordedMethod, type Responses } from './recorded-line.ts';

interface Line {
  readonly number: number;
  readonly answer: RecordedAnswer;
}

/** Answers from a file, in its order, regardless of the request. Invalid lines are reported with their number. */
export class ReplayingGenerator implements ContentGenerator {
  private lines: Promise<readonly Line[]> | undefined;
  private used = 0;

  constructor(
    private readonly file: string,
    private readonly onReplayed: (left: number) => void = () => undefined,
  ) {}

  async *generateContentStream(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<AnswerChunk> {
    request.onSend?.(request);
    const chunks = await this.next('generateContentStream', signal);
    const check = new AnswerCheck();
    for (const chunk of chunks) {
      signal.throwIfAborted();
      check.see(chunk);
      yield structuredClone(chunk);
    }
    this.end(check, request.model);
  }

  async generateContent({ model }: GenerateRequest, signal: AbortSignal): Promise<AnswerChunk> {
    const answer = await this.next('generateContent', signal);
    const check = new AnswerCheck();
    check.see(answer);
    this.end(check, model);
    return structuredClone(answer);
  }

  async countTokens(_request: CountRequest, signal: AbortSignal): Promise<number> {
    return (await this.next('countTokens', signal)).totalTokens ?? 0;
  }

  private async next<Method extends RecordedMethod>(method: Method, signal: AbortSignal): Promise<Responses[Method]> {
    signal.throwIfAborted();
    this.lines ??= readLines(this.file);
    const lines = await this.lines;
    const line = lines[this.used];
    if (!line) {
      const end = `${this.file} ends after line ${lines.at(-1)?.number ?? 0}, and ${method} was asked for`;
      throw unusable('There are no recorded answers left', end);
    }
    if (!isOf(line.answer, method)) {
      const what = `${this.file}, line ${line.number}, is an answer to ${line.answer.method}, and ${method} was asked for`;
      throw unusable('The recorded answer is for something else', what);
    }
    this.used += 1;
    this.onReplayed(lines.length - this.used);
    return line.answer.response;
  }

  /** Reports an invalid recorded answer like one of a model, so that the same failures are retried. */
  private end(check: AnswerCheck, model: string): void {
    const failure = check.failure();
    if (!failure) return;
    const cause = new ModelFailureError(failure, `seen in ${this.file}`);
    throw new ProblemError(modelProblem(failure, { model, arrived: check.arrived }), { cause });
  }
}

function isOf<Method extends RecordedMethod>(answer: RecordedAnswer, method: Method): answer is RecordedAnswer<Method> {
  return answer.method === method;
}

async function readLines(file: string): Promise<readonly Line[]> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw unusable('The recorded answers cannot be read', `${file}: ${failureReason(cause)}`);
  });
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const answer = parseRecorded(line);
    if ('wrong' in answer) {
      throw unusable('The recorded answers cannot be used', `${file}, line ${index + 1}, ${answer.wrong}`);
    }
    return [{ number: index + 1, answer }];
  });
}

function unusable(title: string, what: string): ProblemError {
  return new ProblemError({
    kind: 'bad-input',
    title,
    detail: `${what}. The session is kept; correct the file, or run without --replay.`,
    actions: [],
  });
}
