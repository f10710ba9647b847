import type { LlmResponse } from '@google/adk';
import type { Part } from '@google/genai';

/** One answer of the model as hooks left it. */
export class HookedAnswer {
  private readonly words: Part[] = [];
  private changed = false;

  /** A piece on its way to the reader; undefined when it stays as it is. */
  piece(response: LlmResponse, texts: readonly string[] | undefined): LlmResponse | undefined {
    const { parts = [] } = response.content ?? {};
    if (!texts) {
      for (const part of parts) this.keep(part);
      return undefined;
    }
    // A thought stays a thought, whatever it says now.
    const isThought = parts.every(({ thought }) => thought);
    return { ...response, content: { role: 'model', parts: this.replaced(texts, isThought) } };
  }

  /** Words that a hook puts behind the answer. */
  added(texts: readonly string[] | undefined): Part[] {
    return texts ? this.replaced(texts, false) : [];
  }

  /** The complete answer with the words that were shown; undefined when hooks changed none. */
  whole(response: LlmResponse): LlmResponse | undefined {
    if (!this.changed) return undefined;
    const rest = (response.content?.parts ?? []).filter(({ text }) => !text);
    return { ...response, content: { role: 'model', parts: [...this.words, ...rest] } };
  }

  private replaced(texts: readonly string[], isThought: boolean): Part[] {
    this.changed = true;
    const parts = texts.filter((text) => text !== '').map((text) => ({ text, ...(isThought && { thought: true }) }));
    for (const part of parts) this.keep(part);
    return parts;
  }

  private keep({ text = '', thought = false }: Part): void {
    const last = this.words.at(-1);
    if (last && Boolean(last.thought) === thought) last.text = `${last.text}${text}`;
    else if (text !== '') this.words.push({ text, ...(thought && { thought }) });
  }
}
