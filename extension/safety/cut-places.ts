import { findSecrets } from './find-secrets.ts';
import type { SecretSpan } from './secret-kinds.ts';

/** Longer than a line with the longest tokens. Private keys are recognized by either end. */
const REACH = 4096;

/** How much of the beginning of a text can be shown, at most up to `at`, without showing part of a secret. */
export function headEnd(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return at;
  const from = Math.max(0, at - REACH);
  const whole = secretsAround(text, from, at + REACH);
  if (whole.length === 0) return at;
  const alone = findSecrets(text.slice(from, at));
  // A secret that is not found in the beginning alone is split, or lost the context that reveals it.
  const lost = whole.find(({ start, end }) => from + start < at && !alone.some((one) => covers(one, start, end)));
  return lost ? from + lost.start : at;
}

/** The position from which the end of a text can be shown, not before `at`, without showing part of a secret. */
export function tailStart(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return at;
  const from = Math.max(0, at - REACH);
  const whole = secretsAround(text, from, at + REACH).filter(({ end }) => from + end > at);
  if (whole.length === 0) return at;
  const offset = at - from;
  const alone = findSecrets(text.slice(at, at + REACH));
  const lost = whole.findLast(({ start, end }) => !alone.some((one) => covers(one, start - offset, end - offset)));
  return lost ? from + lost.end : at;
}

/** A short text is cut at both ends, and all of it is around either cut. */
let lastWhole: { readonly text: string; readonly found: readonly SecretSpan[] } | undefined;

function secretsAround(text: string, from: number, to: number): readonly SecretSpan[] {
  if (from > 0 || to < text.length) return findSecrets(text.slice(from, to));
  if (lastWhole?.text !== text) lastWhole = { text, found: findSecrets(text) };
  return lastWhole.found;
}

function covers(span: { readonly start: number; readonly end: number }, start: number, end: number): boolean {
  return span.start <= start && span.end >= end;
}
