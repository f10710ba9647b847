import type { AnswerChunk } from '../content-generator.ts';

type Candidate = NonNullable<AnswerChunk['candidates']>[number];

/** Fields of a chunk that are about the whole answer, so that those of a later chunk replace them. */
const OF_ANSWER: ReadonlySet<string> = new Set([
  'candidates',
  'usageMetadata',
  'modelVersion',
  'responseId',
  'createTime',
]);
/** Two lines. Loops and hooks look at an answer piece by piece, and what was seen too late is shown already. */
const LONGEST = 200;
const OF_TEXT: ReadonlySet<string> = new Set(['content', 'index']);

/**
 * Two chunks as one, if the first is only text and the second continues it. What arrives at the same time need not pass
 * through everything behind it piece by piece. Undefined if they don't belong together.
 */
export function joinedChunks(first: AnswerChunk, second: AnswerChunk): AnswerChunk | undefined {
  const [before, after] = [onlyText(first), onlyText(second)];
  if (!before || !after || before.isThought !== after.isThought) return undefined;
  if (before.text.length + after.text.length > LONGEST) return undefined;
  if (!hasOnly(first, OF_ANSWER) || !hasOnly(before.candidate, OF_TEXT)) return undefined;
  const { candidate } = after;
  const part = { text: before.text + after.text, ...(after.isThought && { thought: true }) };
  const content = { ...candidate.content, parts: [part] };
  const usageMetadata = second.usageMetadata ?? first.usageMetadata;
  const modelVersion = second.modelVersion ?? first.modelVersion;
  return {
    ...second,
    ...(usageMetadata && { usageMetadata }),
    ...(modelVersion && { modelVersion }),
    candidates: [{ ...candidate, content }],
  };
}

interface Text {
  readonly candidate: Candidate;
  readonly text: string;
  readonly isThought: boolean;
}

function onlyText({ candidates }: AnswerChunk): Text | undefined {
  const [candidate, ...otherCandidates] = candidates ?? [];
  const [part, ...otherParts] = candidate?.content?.parts ?? [];
  if (!candidate || !part || otherCandidates.length + otherParts.length > 0) return undefined;
  const { text, thought = false, ...rest } = part;
  if (typeof text !== 'string' || text === '' || Object.keys(rest).length > 0) return undefined;
  return { candidate, text, isThought: thought === true };
}

function hasOnly(value: object, fields: ReadonlySet<string>): boolean {
  return Object.keys(value).every((name) => fields.has(name));
}
