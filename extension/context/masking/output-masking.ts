import type { Content, Part } from '@google/genai';
import { GrowingList } from '../../base/growing-list.ts';

export interface MaskingOptions {
  readonly tokensOf: (part: Part) => number;
  /** Creates the replacement for an output. */
  readonly mask: (part: Part) => Part;
  /** The newest outputs, up to this many tokens, stay unchanged. */
  readonly protectedTokens?: number;
  /** Savings below this are not worth invalidating the server's cache. */
  readonly triggerTokens?: number;
}

/** As in Gemini CLI. */
const PROTECTED_TOKENS = 50_000;
const TRIGGER_TOKENS = 30_000;

/** The outputs of these tools are essential to the conversation. */
const NEVER_MASKED: ReadonlySet<string> = new Set(['activate_skill', 'ask_user', 'enter_plan_mode', 'exit_plan_mode']);

interface Output {
  readonly part: Part;
  readonly tokens: number;
}

/** The masked parts of a history, each with its replacement. */
export type Masks = ReadonlyMap<Part, Part>;

/**
 * Decides which old tool outputs a request has room for. The result depends only on the contents: each model turn
 * implies an earlier request, and outputs masked in that request stay masked. Each content of a growing history is
 * processed once.
 */
export class OutputMasking {
  private readonly taken: Content[] = [];
  /** Replaced, never modified, so that callers can detect additions by identity. */
  private settled: Masks = new Map();
  /** Outputs that are not decided yet, oldest first. */
  private open: Output[] = [];
  private openTokens = 0;
  private readonly made = new WeakMap<Part, Part>();

  constructor(private readonly options: MaskingOptions) {}

  /** The masks for a request with these contents. The last content is never masked. */
  masks(contents: readonly Content[]): Masks {
    if (!this.isStartOf(contents)) this.forget();
    const added: (readonly [Part, Part])[] = [];
    for (let index = this.taken.length; index < contents.length - 1; index++) {
      // A model turn answers a request that ended with the content before it.
      if (contents[index + 1]?.role === 'model') added.push(...this.settle());
      this.take(contents[index] as Content);
    }
    if (added.length > 0) this.settled = new Map([...this.settled, ...added]);
    const now = this.masked(this.prunable());
    return now.length === 0 ? this.settled : new Map([...this.settled, ...now]);
  }

  /** Whether the contents begin with all processed contents and have at least one more. */
  private isStartOf(contents: readonly Content[]): boolean {
    const { taken } = this;
    if (taken.length >= contents.length) return false;
    let same = 0;
    while (same < taken.length && taken[same] === contents[same]) same++;
    return same === taken.length;
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

  /** The outputs that exceed the protected size, if masking them saves enough. */
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

  /** Returns the masks of the outputs that are decided now. */
  private settle(): readonly (readonly [Part, Part])[] {
    const prunable = this.prunable();
    if (prunable.length === 0) return [];
    // Outputs that a mask would not shorten are settled too, so that they do not trigger the next round.
    this.open = this.open.slice(prunable.length);
    this.openTokens = this.open.reduce((sum, { tokens }) => sum + tokens, 0);
    return this.masked(prunable);
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

/** Applies masks to contents. Contents without masks keep their identity. */
export class MaskedContents {
  private readonly copies = new WeakMap<Content, Content>();
  /** The contents of the last request, as long as the masks are the same. */
  private last: { readonly masks: Masks; readonly contents: GrowingList<Content, Content> } | undefined;

  apply(contents: readonly Content[], masks: Masks): Content[] {
    if (masks.size === 0) return contents.slice();
    if (this.last?.masks !== masks) {
      this.last = { masks, contents: new GrowingList((content: Content) => this.masked(content, masks)) };
    }
    return this.last.contents.map(contents).slice();
  }

  /** Returns the same copy as long as the masks are the same, so that caches keyed by it stay valid. */
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
