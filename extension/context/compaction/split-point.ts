import type { Content } from '@google/genai';

/** Gemini CLI's: the last 30 % of a conversation stay as they are. */
const SUMMARISED_SHARE = 0.7;

/** A cut that takes less away would be made again a few steps later, and each costs two requests. */
const WORTHWHILE_SHARE = 0.1;

interface Place {
  readonly at: number;
  /** The size of what a cut here takes away. */
  readonly gone: number;
}

/** Something was said, and no call is answered by it: what stands before it can be taken away. */
export function isPlainUser({ role, parts = [] }: Content): boolean {
  return role === 'user' && !parts.some((part) => part.functionResponse);
}

/** Calls that follow the answers to others: what stands before them can be taken away, except for what they are about. */
export function beginsRound(contents: readonly Content[], at: number): boolean {
  const { role, parts = [] } = contents[at] ?? {};
  const isBehindAnswers = contents[at - 1]?.parts?.some((part) => part.functionResponse) ?? false;
  return isBehindAnswers && role === 'model' && parts.some((part) => part.functionCall);
}

/**
 * How many contents are summarized; the rest begins with a plain message of the user, or is empty. When next to nothing stands
 * before the last message, not counting the snapshot of which the first `after` contents are, and the work on it is long, it begins
 * with a round of that work. 0 when there is no such place. `sizeOf` is in any unit.
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
