import { BaseLlmRequestProcessor, type Event, type InvocationContext, type LlmRequest } from '@google/adk';
import type { Content, Part } from '@google/genai';
import { type MaskedOutput, maskOutput } from '../context/masking/mask-output.ts';
import { MaskedContents, OutputMasking } from '../context/masking/output-masking.ts';
import { partTokens } from '../context/token-estimate.ts';
import type { Logger } from './host.ts';
import type { SavedOutputs } from './saved-outputs.ts';

/** What of a request is not as the tools gave it. */
export interface MaskedSummary {
  readonly outputs: number;
  /** How many fewer they are now. */
  readonly tokens: number;
}

/** Puts a short note in the place of old tool outputs, which are in files of the session. The history keeps them whole. */
export class ToolOutputMaskingProcessor extends BaseLlmRequestProcessor {
  /** By what stands for it in the request. */
  private readonly outputs = new WeakMap<Part, MaskedOutput>();
  private readonly masking: OutputMasking;
  private readonly masked = new MaskedContents();

  constructor(
    private readonly saved: SavedOutputs,
    private readonly log: Logger,
    private readonly onMasked: (summary: MaskedSummary) => void,
  ) {
    super();
    this.masking = new OutputMasking({ tokensOf: partTokens, mask: (part) => this.mask(part) });
  }

  // biome-ignore lint/correctness/useYield: it adds no events.
  override async *runAsync(_context: InvocationContext, request: LlmRequest): AsyncGenerator<Event, void, void> {
    try {
      request.contents = await this.contents(request.contents);
    } catch (error) {
      this.log.error('Old outputs were not masked', error);
    }
  }

  /** What cannot be saved stays in the request. */
  private async contents(contents: readonly Content[]): Promise<Content[]> {
    const kept = new Map<Part, Part>();
    let tokens = 0;
    for (const [part, mask] of this.masking.masks(contents)) {
      const toSave = this.outputs.get(mask)?.toSave;
      if (toSave && !(await this.saved.keep(toSave.path, toSave.text))) continue;
      kept.set(part, mask);
      tokens += partTokens(part) - partTokens(mask);
    }
    this.onMasked({ outputs: kept.size, tokens: Math.round(tokens) });
    return this.masked.apply(contents, kept);
  }

  private mask(part: Part): Part {
    const output = maskOutput(part, this.saved.folder);
    this.outputs.set(output.part, output);
    return output.part;
  }
}
