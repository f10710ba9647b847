import { BaseLlmRequestProcessor, type Event, type InvocationContext, type LlmRequest } from '@google/adk';
import type { Content, Part } from '@google/genai';
import { batches, inSlices, Slices } from '../../base/slices.ts';
import { type MaskedOutput, maskOutput } from '../../context/masking/mask-output.ts';
import { MaskedContents, type Masks, OutputMasking } from '../../context/masking/output-masking.ts';
import { partTokens } from '../../context/token-estimate.ts';
import type { Logger } from '../../ports/logger.ts';
import type { SavedOutputs } from './saved-outputs.ts';

/** How much of a request is masked. */
export interface MaskedSummary {
  readonly outputs: number;
  /** The tokens that masking saves. */
  readonly tokens: number;
}

interface Kept {
  readonly masks: Masks;
  /** The masks whose outputs are saved in files. */
  readonly kept: Masks;
  readonly summary: MaskedSummary;
}

/**
 * Replaces old tool outputs with short notes. The outputs are saved in files of the session and stay in the history.
 */
export class ToolOutputMaskingProcessor extends BaseLlmRequestProcessor {
  /** Masked outputs by the part that replaces them in the request. */
  private readonly outputs = new WeakMap<Part, MaskedOutput>();
  private readonly masking: OutputMasking;
  private readonly masked = new MaskedContents();
  private last: Kept | undefined;
  /** The number of contents of the last request. */
  private seen = 0;

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

  /** Masks the contents. An output that cannot be saved stays in the request. */
  private async contents(contents: readonly Content[]): Promise<Content[]> {
    // A resumed conversation is long at once.
    await inSlices(contents, this.seen, (beginning) => this.masking.masks(beginning));
    this.seen = contents.length;
    const masks = this.masking.masks(contents);
    if (this.last?.masks !== masks || this.last.kept.size < masks.size) this.last = await this.keep(masks);
    const { kept, summary } = this.last;
    this.onMasked(summary);
    return this.masked.apply(contents, kept);
  }

  private async keep(masks: Masks): Promise<Kept> {
    const kept = new Map<Part, Part>();
    let tokens = 0;
    if (masks.size === 0) return { masks, kept, summary: { outputs: 0, tokens } };
    const slices = new Slices();
    for (const batch of batches([...masks], AT_ONCE)) {
      await slices.pause();
      const isKept = await Promise.all(batch.map(([, mask]) => this.isKept(mask)));
      for (const [index, [part, mask]] of batch.entries()) {
        if (!isKept[index]) continue;
        kept.set(part, mask);
        tokens += partTokens(part) - partTokens(mask);
      }
    }
    return { masks, kept, summary: { outputs: kept.size, tokens: Math.round(tokens) } };
  }

  private async isKept(mask: Part): Promise<boolean> {
    const toSave = this.outputs.get(mask)?.toSave;
    return toSave === undefined || this.saved.keep(toSave.path, toSave.text);
  }

  private mask(part: Part): Part {
    const output = maskOutput(part, this.saved.folder);
    this.outputs.set(output.part, output);
    return output.part;
  }
}

/** A resumed session may have thousands of outputs. */
const AT_ONCE = 32;
