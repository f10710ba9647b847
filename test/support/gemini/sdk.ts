import {
  type Content,
  type GenerateContentConfig,
  type GenerateContentResponse,
  GoogleGenAI,
  type Part,
} from '@google/genai';

export interface SdkAnswer {
  readonly chunks: readonly GenerateContentResponse[];
  readonly parts: readonly Part[];
  /** The text without thoughts. */
  readonly text: string;
}

export type Prompt = string | Content[];

/** The plain SDK with an endpoint, with which tests and the benchmark compare the product. */
export class SdkClient {
  readonly ai: GoogleGenAI;
  readonly model: string;

  constructor(url: string, options: { readonly apiVersion?: string; readonly model?: string } = {}) {
    const { model = 'gemini-2.5-flash', ...rest } = options;
    this.model = model;
    this.ai = new GoogleGenAI({ ...rest, apiKey: 'test-key', vertexai: false, httpOptions: { baseUrl: url } });
  }

  open(contents: Prompt = 'Hi', config: GenerateContentConfig = {}): Promise<AsyncGenerator<GenerateContentResponse>> {
    return this.ai.models.generateContentStream({ model: this.model, contents, config });
  }

  async ask(contents?: Prompt, config?: GenerateContentConfig): Promise<SdkAnswer> {
    return collect(await this.open(contents, config));
  }

  generate(contents: Prompt = 'Hi'): Promise<GenerateContentResponse> {
    return this.ai.models.generateContent({ model: this.model, contents });
  }

  async countTokens(contents: Prompt): Promise<number | undefined> {
    return (await this.ai.models.countTokens({ model: this.model, contents })).totalTokens;
  }

  /** Runs one user turn with the tool loop. Appends to the history and returns the last answer. */
  async turn(history: Content[], prompt: string, runTool: (name: string) => Record<string, unknown>): Promise<string> {
    history.push({ role: 'user', parts: [{ text: prompt }] });
    for (;;) {
      const { parts, text } = await this.ask(history);
      history.push({ role: 'model', parts: [...parts] });
      const calls = parts.flatMap((part) => part.functionCall ?? []);
      if (calls.length === 0) return text;
      const results = calls.map(({ name = '' }) => ({ functionResponse: { name, response: runTool(name) } }));
      history.push({ role: 'user', parts: results });
    }
  }
}

export async function collect(answer: AsyncIterable<GenerateContentResponse>): Promise<SdkAnswer> {
  const chunks: GenerateContentResponse[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  const parts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []);
  return { chunks, parts, text: parts.map((part) => (part.thought ? '' : (part.text ?? ''))).join('') };
}
