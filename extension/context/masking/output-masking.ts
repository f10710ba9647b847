import type { Content, Part } from '@google/genai';

export interface MaskingOptions {
  readonly tokensOf: (part: Part) => number;
  /** What replaces an output. */
  readonly mask: (part: Part) => Part;
  /** Newer outputs of so many tokens stay as they are. */
  readonly protectedTokens?: number;
  /** Less than this is not worth a change of what the server may have remembered. */
  readonly triggerTokens?: number;
}

/** As in Gemini CLI. */
const PROTECTED_TOKENS = 50_000;
const TRIGGER_TOKENS = 30_000;

/** What they say is what the conversation is about. */
const NEVER_MASKED: ReadonlySet<string> = new Set(['activate_skill', 'ask_user', 'enter_plan_mode', 'exit_plan_mode']);

interface Output {
  readonly part: Part;
  readonly tokens: number;
}

/** What is masked of a history: each part and what replaces it. */
export type Masks = ReadonlyMap<Part, Part>;

/**
 * Decides which old tool outputs a request has room for. Follows from the contents alone: wherever the model answered, a
 * request was made, and what was masked then stays masked. Looks at each content of a growing history once.
 */
export class OutputMasking {
  private readonly taken: Content[] = [];
  /** Never changed, so that others can tell by it whether something was added. */
  private settled: Masks = new Map();
  /** Looked at, but not decided: from the oldest to the newest. */
  private open: Output[] = [];
  private openTokens = 0;
  private readonly made = new WeakMap<Part, Part>();

  constructor(private readonly options: MaskingOptions) {}

  /** For a request with these contents. Its last one is never masked. */
  masks(contents: readonly Content[]): Masks {
    if (!this.isStartOf(contents)) this.forget();
    for (let index = this.taken.length; index < contents.length - 1; index++) {
      // An answer was given to a request that ended with the content before it.
      if (contents[index + 1]?.role === 'model') this.settle();
      this.take(contents[index] as Content);
    }
    const now = this.masked(this.prunable());
    return now.length === 0 ? this.settled : new Map([...this.settled, ...now]);
  }

  /** Whether all that was taken in is there, and is not the last. */
  private isStartOf(contents: readonly Content[]): boolean {
    return this.taken.length < contents.length && this.taken.every((content, index) => content === contents[index]);
  }

  private take(content: Content): void {
    this.taken.push(content);
    for (const part of content.parts ?? []) {
      const { functionResponse } = part;
      if (!functionResponse?.response || NEVER_MASKED.has(functionResponse.name ?? '')) continue;
      const tokens = this.options.tokensOf(part);
      this.open.push({ part, tokens });
      this.openTokens += tokens;
    }
  }

  /** What no longer fits beside the newer ones, when it is enough to be worth it. */
  private prunable(): readonly Output[] {
    const { protectedTokens = PROTECTED_TOKENS, triggerTokens = TRIGGER_TOKENS } = this.options;
    let newer = 0;
    for (let index = this.open.length - 1; index >= 0; index--) {
      const { tokens } = this.open[index] as Output;
      if (newer + tokens > protectedTokens) {
        return this.openTokens - newer >= triggerTokens ? this.open.slice(0, index + 1) : [];
      }
      newer += tokens;
    }
    return [];
  }

  private settle(): void {
    const prunable = this.prunable();
    if (prunable.length === 0) return;
    const added = this.masked(prunable);
    if (added.length > 0) this.settled = new Map([...this.settled, ...added]);
    // What a mask would not make shorter is decided too: it must not trigger the next round.
    this.open = this.open.slice(prunable.length);
    this.openTokens = this.open.reduce((sum, { tokens }) => sum + tokens, 0);
  }

  private masked(outputs: readonly Output[]): (readonly [Part, Part])[] {
    return outputs.flatMap(({ part, tokens }) => {
      const mask = this.made.get(part) ?? this.options.mask(part);
      this.made.set(part, mask);
      return this.options.tokensOf(mask) < tokens ? [[part, mask] as const] : [];
    });
  }

  private forget(): void {
    this.taken.length = 0;
    this.settled = new Map();
    this.open = [];
    this.openTokens = 0;
  }
}

/** The contents with the masks in place. What has none is the same object as before. */
export class MaskedContents {
  private readonly copies = new WeakMap<Content, Content>();

  apply(contents: readonly Content[], masks: Masks): Content[] {
    return masks.size === 0 ? contents.slice() : contents.map((content) => this.masked(content, masks));
  }

  /** The same copy as long as the same is masked: what others know of it stays true. */
  private masked(content: Content, masks: Masks): Content {
    const { parts = [] } = content;
    if (!parts.some((part) => masks.has(part))) return content;
    const known = this.copies.get(content);
    if (known?.parts?.every((part, index) => part === (masks.get(parts[index] as Part) ?? parts[index]))) return known;
    const copy = { ...content, parts: parts.map((part) => masks.get(part) ?? part) };
    this.copies.set(content, copy);
    return copy;
  }
}
