import { findSecrets, findValues, merged } from './find-secrets.ts';
import { showInvisible } from './invisible.ts';
import type { SecretKind, SecretSpan } from './secret-kinds.ts';

/** What to search for, and how to replace it. */
export interface TextRules {
  /** Whether to search for anything that looks like a secret. */
  readonly looksForSecrets: boolean;
  /** Values that are secret wherever they occur. */
  readonly values: ReadonlyMap<string, SecretKind>;
  readonly replace: (value: string, kind: SecretKind) => string;
}

export interface CleanTexts {
  /** The same array if nothing was found. */
  readonly texts: readonly string[];
  /** The number of hidden characters that were made visible. */
  readonly hidden: number;
}

/** The text around a replacement may look like another secret; two rounds were always enough. */
const MOST_ROUNDS = 4;

/** Cleans texts that belong together: a secret may begin in one text and end in the next. */
export function cleanTexts(texts: readonly string[], rules: TextRules): CleanTexts {
  let now = texts;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const whole = now.length === 1 ? (now[0] ?? '') : now.join('');
    const found = rules.looksForSecrets ? findSecrets(whole) : [];
    const spans = rules.values.size === 0 ? found : merged([...found, ...findValues(whole, rules.values)]);
    if (spans.length === 0) break;
    now = withSpansReplaced(now, spans, (span) => rules.replace(whole.slice(span.start, span.end), span.kind));
  }
  const shown = now.map((text) => showInvisible(text));
  const hidden = shown.reduce((sum, { count }) => sum + count, 0);
  return { texts: hidden === 0 ? now : shown.map(({ text }) => text), hidden };
}

/** Puts the replacement where the span begins, and removes the rest of the span from the texts that follow. */
export function withSpansReplaced(
  texts: readonly string[],
  spans: readonly SecretSpan[],
  replacement: (span: SecretSpan) => string,
): string[] {
  let offset = 0;
  let next = 0;
  return texts.map((text) => {
    const end = offset + text.length;
    let [result, at] = ['', offset];
    for (; next < spans.length; next++) {
      const span = spans[next] as SecretSpan;
      if (span.start >= end) break;
      if (span.start >= offset) result += text.slice(at - offset, span.start - offset) + replacement(span);
      at = Math.min(span.end, end);
      if (span.end > end) break;
    }
    result += text.slice(at - offset);
    offset = end;
    return result;
  });
}
