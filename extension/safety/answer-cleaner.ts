import type { Part } from '@google/genai';
import { findAll, type TextRules, withSpansReplaced } from './clean-text.ts';
import { heldFrom, valueBegins } from './held-back.ts';
import { showInvisible, undecidedFrom } from './invisible.ts';
import type { SecretSpan } from './secret-kinds.ts';

/** What replaces secrets in an answer, as in the requests of its session. */
export interface AnswerRules extends TextRules {
  /** Cleans a part that is not text: a call with its arguments, code that was run. */
  other(part: Part): { readonly value: Part; readonly hidden: number };
}

/**
 * Removes secrets and hidden characters from one answer while it arrives. Only the end of the text is held back that
 * could be the beginning of a secret, so how the answer is cut into chunks does not matter. The time per chunk does not
 * depend on the length of the answer.
 */
export class AnswerCleaner {
  private text: AnswerText | undefined;
  private isThought = false;
  /** The number of hidden characters that were made visible. */
  hidden = 0;

  /** `rules` are read for each part, because what was found earlier in the answer counts from then on. */
  constructor(private readonly rules: () => AnswerRules) {}

  /** Takes parts of the answer, and returns what can be shown, stored and run now. */
  add(parts: readonly Part[]): Part[] {
    return parts.flatMap((part) => this.part(part));
  }

  /** The rest of the answer, which is complete. */
  end(): Part[] {
    const rest = this.text?.end() ?? [];
    this.hidden += this.text?.hidden ?? 0;
    this.text = undefined;
    return rest;
  }

  private part(part: Part): Part[] {
    if (typeof part.text !== 'string') {
      const before = this.end();
      const { value, hidden } = this.rules().other(part);
      this.hidden += hidden;
      return [...before, value];
    }
    // Thoughts and the answer are texts of their own, as in requests.
    const before = this.isThought === Boolean(part.thought) ? [] : this.end();
    this.isThought = Boolean(part.thought);
    this.text ??= new AnswerText(this.rules);
    return [...before, ...this.text.add(part)];
  }
}

/** As in requests: the text around a replacement may look like another secret. */
const MOST_ROUNDS = 4;
/** What reveals a secret is closer to it. */
const REACH = 1024;
/** Earlier text is only cut off when it is this much longer, because cutting takes time too. */
const SURPLUS = 512;
/** Longer than every secret on a line, except for signed tokens. */
const MOST_HELD = 4096;
/** Longer than every private key and signed token. */
const MOST_OF_KEY = 20_000;
const BEGIN = '-----BEGIN ';

/** Consecutive texts of an answer. */
class AnswerText {
  /** The end of what was passed on, as it arrived. */
  private before = '';
  /** The first line of a certificate or the like that begins before that, and the distance from its beginning. */
  private block = '';
  private sinceBlock = 0;
  private held: Part[] = [];
  /** A secret was longer than anything that is held back. What follows it without a space belongs to it. */
  private isInSecret = false;
  private last: { readonly text: string; readonly found: readonly SecretSpan[] } = { text: '', found: [] };
  hidden = 0;

  constructor(private readonly rules: () => AnswerRules) {}

  add(part: Part): Part[] {
    this.hold(part);
    return this.take(this.shownLength());
  }

  end(): Part[] {
    return this.take(textOf(this.held).length);
  }

  private hold(part: Part): void {
    const { text: given = '' } = part;
    const text = this.isInSecret ? given.replace(/^[\w+/=.~-]+/, '') : given;
    if (text !== '') this.isInSecret = false;
    const last = this.held.at(-1);
    const isJoined = last && last.thoughtSignature === undefined && part.thoughtSignature === undefined;
    if (isJoined) this.held[this.held.length - 1] = { ...last, text: `${last.text}${text}` };
    else this.held.push({ ...part, text });
  }

  /** How much of the text that is held back can be shown, whatever follows. */
  private shownLength(): number {
    const rules = this.rules();
    const before = this.block + this.before;
    const text = before + textOf(this.held);
    let end = rules.looksForSecrets ? heldFrom(text, before.length) : text.length;
    for (const value of rules.values.keys()) end = Math.min(end, valueBegins(text, before.length, value));
    end = Math.min(end, undecidedFrom(text, before.length));
    if (end <= before.length && text.length - end <= MOST_HELD) return 0;
    const found = this.find(text, rules);
    for (const span of found.toReversed()) {
      // More may belong to a secret at the end.
      if (span.start < end && (span.end > end || span.end === text.length)) end = Math.max(before.length, span.start);
    }
    const isLong = text.startsWith(BEGIN, end) || text.startsWith('eyJ', end);
    if (text.length - end > (isLong ? MOST_OF_KEY : MOST_HELD)) {
      this.isInSecret = found.at(-1)?.end === text.length;
      end = text.length;
    }
    return end - before.length;
  }

  private take(length: number): Part[] {
    const taken: Part[] = [];
    for (let left = length; this.held.length > 0; ) {
      const [part = {}] = this.held;
      const { text = '' } = part;
      if (text.length > left) {
        // A part that carries a signature is not cut.
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
    const rules = this.rules();
    const before = this.block + this.before;
    const after = textOf(this.held);
    const from = before.length;
    let texts: readonly string[] = [before, ...parts.map(({ text = '' }) => text), after];
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const whole = texts.join('');
      const to = whole.length - after.length;
      const spans = this.find(whole, rules).filter(({ start, end }) => start < to && end > from);
      if (spans.length === 0) break;
      // The beginning of a secret that begins like a word was shown before the rest of it arrived.
      const secrets = spans.map((span) => ({ ...span, begins: span.start, start: Math.max(from, span.start) }));
      texts = withSpansReplaced(texts, secrets, ({ begins, end, kind }) =>
        rules.replace(whole.slice(begins, end), kind),
      );
    }
    this.pass(textOf(parts));
    const whole = texts.join('');
    let at = from;
    return parts.flatMap((part, index) => {
      const { length } = texts[index + 1] ?? '';
      const { text, count } = showInvisible(whole, at, at + length);
      at += length;
      this.hidden += count;
      return text !== '' || part.thoughtSignature !== undefined ? { ...part, text } : [];
    });
  }

  private find(text: string, { looksForSecrets, values }: AnswerRules): readonly SecretSpan[] {
    if (this.last.text !== text) this.last = { text, found: findAll(text, { looksForSecrets, values }) };
    return this.last.found;
  }

  /** Keeps what may decide about the text that follows. */
  private pass(text: string): void {
    this.before += text;
    if (this.before.length <= REACH + SURPLUS) return;
    const cut = this.before.length - REACH;
    const lineBreak = this.before.indexOf('\n', cut);
    const dropped = this.before.slice(0, lineBreak >= 0 && lineBreak < cut + SURPLUS ? lineBreak + 1 : cut);
    this.before = this.before.slice(dropped.length);
    const begins = dropped.lastIndexOf(BEGIN);
    this.sinceBlock = begins >= 0 ? dropped.length - begins : this.sinceBlock + dropped.length;
    if (begins >= 0) this.block = `${dropped.slice(begins, begins + LONGEST_HEADER).split('\n', 1)[0]}\n`;
    if (this.sinceBlock > MOST_OF_KEY || this.block.includes('PRIVATE KEY')) this.block = '';
  }
}

const LONGEST_HEADER = 80;

function textOf(parts: readonly Part[]): string {
  return parts.length === 1 ? (parts[0]?.text ?? '') : parts.map(({ text = '' }) => text).join('');
}
