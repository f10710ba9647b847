import { findSecrets, findValues, merged } from './find-secrets.ts';
import { showInvisible } from './invisible.ts';
import type { SecretKind, SecretSpan } from './secret-kinds.ts';

/** What is looked for, and what stands in its place. */
export interface TextRules {
  /** Look for whatever has the form of a secret. */
  readonly looksForSecrets: boolean;
  /** Values that are secret wherever they are. */
  readonly values: ReadonlyMap<string, SecretKind>;
  readonly replace: (value: string, kind: SecretKind) => string;
}

export interface CleanTexts {
  /** The same array when nothing was found. */
  readonly texts: readonly string[];
  /** How many hidden characters were made visible. */
  readonly hidden: number;
}

/** What a replacement leaves may look like another secret; it never took more than two rounds. */
const MOST_ROUNDS = 4;

/** Texts that are read one after the other: a secret may begin in one of them and end in the next. */
export function cleanTexts(texts: readonly string[], rules: TextRules): CleanTexts {
  let now = texts;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const whole = now.length === 1 ? (now[0] ?? '') : now.join('');
    const found = rules.looksForSecrets ? findSecrets(whole) : [];
    const spans = rules.values.size === 0 ? found : merged([...found, ...findValues(whole, rules.values)]);
    if (spans.length === 0) break;
    now = withSpansReplaced(now, spans, (span) => rules.replace(whole.slice(span.start, span.end), span.kind));
  }
  const shown = now.map(showInvisible);
  const hidden = shown.reduce((sum, { count }) => sum + count, 0);
  return { texts: hidden === 0 ? now : shown.map(({ text }) => text), hidden };
}

/** The replacement stands where the span begins; what other texts have of it is cut out. */
function withSpansReplaced(
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
