import type { Content } from '@google/genai';

/** Gemini CLI's share: the last 30 % of a conversation stay unchanged. */
const SUMMARISED_SHARE = 0.7;

/** A smaller cut would have to be repeated a few steps later, and each costs two requests. */
const WORTHWHILE_SHARE = 0.1;

interface Place {
  readonly at: number;
  /** The size of the contents that a cut here removes. */
  readonly gone: number;
}

/** A user turn that answers no calls. All contents before it can be removed. */
export function isPlainUser({ role, parts = [] }: Content): boolean {
  return role === 'user' && !parts.some((part) => part.functionResponse);
}

/**
 * Whether new calls begin here, after the responses to earlier ones. The contents before them can be removed, except
 * for the message that they work on.
 */
export function beginsRound(contents: readonly Content[], at: number): boolean {
  const { role, parts = [] } = contents[at] ?? {};
  const isBehindAnswers = contents[at - 1]?.parts?.some((part) => part.functionResponse) ?? false;
  return isBehindAnswers && role === 'model' && parts.some((part) => part.functionCall);
}

/**
 * The number of contents to summarize. The rest begins with a plain user message, or is empty. If removing the contents
 * before the last message would gain too little (the first `after` contents belong to a snapshot and do not count), and
 * the work on that message is long, the rest begins with a round of that work. Returns 0 if there is no such place.
 * `sizeOf` may use any unit.
 */
export function splitPoint(contents: readonly Content[], sizeOf: (content: Content) => number, after = 0): number {
  const sizes = contents.map(sizeOf);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let before = 0;
  let message: Place = { at: 0, gone: 0 };
  let rounds: Place[] = [];
  for (const [at, content] of contents.entries()) {
    if (isPlainUser(content)) {
      if (before >= total * SUMMARISED_SHARE) return at;
      message = { at, gone: before };
      rounds = [];
    } else if (beginsRound(contents, at)) {
      rounds.push({ at, gone: before - (sizes[message.at] ?? 0) });
    }
    before += sizes[at] ?? 0;
  }
  const end = contents.at(-1);
  if (end?.role === 'model' && !end.parts?.some((part) => part.functionCall)) return contents.length;
  const isWorthwhile = ({ gone }: Place): boolean => gone >= total * WORTHWHILE_SHARE;
  if (message.at > after && isWorthwhile(message)) return message.at;
  const target = (total - (sizes[message.at] ?? 0)) * SUMMARISED_SHARE;
  const round = rounds.find(({ gone }) => gone >= target) ?? rounds.at(-1);
  return round && isWorthwhile(round) ? round.at : message.at;
}
