import type { Part } from '@google/genai';
import { withSpansReplaced } from './clean-text.ts';
import { findValues, merged } from './find-secrets.ts';
import { showInvisible, undecidedFrom } from './invisible.ts';
import { mapStrings } from './map-strings.ts';
import type { SecretKind } from './secret-kinds.ts';

/** What is replaced in answers: secrets that the model can't have thought of itself. */
export interface AnswerRules {
  readonly values: ReadonlyMap<string, SecretKind>;
  replace(value: string, kind: SecretKind): { readonly id: string; readonly placeholder: string };
}

/** Enough to decide about an invisible character by what is before it. */
const KEPT_BEFORE = 1000;

/**
 * Replaces the user's secrets in one answer while it arrives, and makes invisible characters in its text visible. Only
 * the end of the text is held back that could be the beginning of such a secret, so how the answer is cut into chunks
 * does not matter.
 *
 * Nothing else that looks like a secret is replaced: what the model makes up, an example or the password of a test, must
 * reach the file that it is written for. For the same reason, arguments of calls keep invisible characters; rules and
 * cards deal with them.
 */
export class AnswerCleaner {
  /** Consecutive texts of the same kind, not passed on yet. */
  private held: Part[] = [];
  private isThought = false;
  /** What was passed on before them, as it arrived. */
  private before = '';

  constructor(
    private readonly rules: AnswerRules,
    private readonly report: { secret(id: string, kind: SecretKind): void; hidden(count: number): void },
  ) {}

  /** Takes parts of the answer, and returns what can be shown, stored and run now. */
  add(parts: readonly Part[]): Part[] {
    return parts.flatMap((part) => this.part(part));
  }

  /** The rest of the answer, which is complete. */
  end(): Part[] {
    const rest = this.take(textOf(this.held).length);
    this.before = '';
    return rest;
  }

  private part(part: Part): Part[] {
    if (typeof part.text !== 'string') return [...this.end(), this.other(part)];
    // Thoughts and the answer are texts of their own, as in requests.
    const earlier = this.isThought === Boolean(part.thought) ? [] : this.end();
    this.isThought = Boolean(part.thought);
    this.hold(part);
    return [...earlier, ...this.take(this.decidedLength())];
  }

  private other(part: Part): Part {
    const { thoughtSignature, ...rest } = part;
    const cleaned = mapStrings(rest, (text) => this.withoutSecrets([text])[0] ?? '');
    if (cleaned === rest) return part;
    return { ...cleaned, ...(thoughtSignature !== undefined && { thoughtSignature }) };
  }

  private hold(part: Part): void {
    const last = this.held.at(-1);
    const isJoined = last && last.thoughtSignature === undefined && part.thoughtSignature === undefined;
    if (isJoined) this.held[this.held.length - 1] = { ...last, text: `${last.text}${part.text}` };
    else this.held.push(part);
  }

  /** How much of the text that is held back is what it is, whatever follows. */
  private decidedLength(): number {
    const { values } = this.rules;
    const text = textOf(this.held);
    let end = undecidedFrom(this.before + text, this.before.length) - this.before.length;
    for (const value of values.keys()) end = Math.min(end, beginningOf(value, text));
    for (const span of findValues(text, values).toReversed()) {
      if (span.start < end && span.end > end) end = span.start;
    }
    return end;
  }

  private take(length: number): Part[] {
    const taken: Part[] = [];
    for (let left = length; this.held.length > 0; ) {
      const [part = {}] = this.held;
      const { text = '' } = part;
      if (text.length > left) {
        // A part that has a signature is not cut.
        if (left === 0 || part.thoughtSignature !== undefined) break;
        this.held[0] = { ...part, text: text.slice(left) };
        taken.push({ ...part, text: text.slice(0, left) });
        break;
      }
      taken.push(part);
      this.held.shift();
      left -= text.length;
    }
    return taken.length === 0 ? [] : this.cleaned(taken);
  }

  private cleaned(parts: readonly Part[]): Part[] {
    const texts = this.withoutSecrets(parts.map(({ text = '' }) => text));
    const whole = [this.before, ...texts, textOf(this.held)].join('');
    let at = this.before.length;
    this.before = (this.before + textOf(parts)).slice(-KEPT_BEFORE);
    return parts.flatMap((part, index) => {
      const from = at;
      at += texts[index]?.length ?? 0;
      const { text, count } = showInvisible(whole, from, at);
      if (count > 0) this.report.hidden(count);
      return text !== '' || part.thoughtSignature !== undefined ? { ...part, text } : [];
    });
  }

  private withoutSecrets(texts: readonly string[]): readonly string[] {
    const { values } = this.rules;
    if (values.size === 0) return texts;
    const whole = texts.join('');
    const spans = merged(findValues(whole, values));
    if (spans.length === 0) return texts;
    return withSpansReplaced(texts, spans, ({ start, end, kind }) => {
      const { id, placeholder } = this.rules.replace(whole.slice(start, end), kind);
      this.report.secret(id, kind);
      return placeholder;
    });
  }
}

function textOf(parts: readonly Part[]): string {
  return parts.length === 1 ? (parts[0]?.text ?? '') : parts.map(({ text = '' }) => text).join('');
}

/** Where the end of the text begins that may be the beginning of this value. The length of the text if nowhere. */
function beginningOf(value: string, text: string): number {
  const first = value.charAt(0);
  for (let at = text.indexOf(first, Math.max(0, text.length - value.length + 1)); at >= 0; ) {
    if (value.startsWith(text.slice(at))) return at;
    at = text.indexOf(first, at + 1);
  }
  return text.length;
}
