import type { Part } from '@google/genai';

/**
 * The kinds of parts, besides text, that an answer may contain. Unknown kinds are dropped: the SDK would write an empty
 * part for them, which the API rejects in every later request. `functionResponse` is missing because a model does not
 * answer calls.
 */
const KINDS = [
  'functionCall',
  'inlineData',
  'fileData',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
] as const satisfies readonly (keyof Part)[];

/**
 * The parts of a model's answer as they are stored and sent back. The result does not depend on how the service split
 * the answer. Parts keep their order, and an empty text never comes first, because ADK drops such an answer
 * (docs/adk.md). The function is idempotent.
 */
export function answerParts(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts.flatMap(saidIn)) {
    const previous = joined.at(-1);
    if (previous && canJoin(previous, part)) previous.text = `${previous.text}${part.text}`;
    else joined.push(part);
  }
  return withoutEmptyFirst(joined);
}

/** The parts to keep of one part, without null fields. An empty part without a signature yields none. */
export function saidIn(part: Part): Part[] {
  const { text, thought, thoughtSignature, ...rest } = part;
  const kind = thought ? { thought } : {};
  const signed = { ...kind, ...(thoughtSignature && { thoughtSignature }) };
  if (KINDS.some((name) => part[name])) {
    // Some gateways add an empty text to a call.
    return [...(text ? [{ text, ...kind }] : []), { ...withoutNulls(rest), ...soundCall(part), ...signed }];
  }
  return text || thoughtSignature ? [{ text: text ?? '', ...signed }] : [];
}

/** Whether the call has no name, so that the API would reject a request that contains it. */
export function isNameless({ functionCall }: Part): boolean {
  return functionCall !== undefined && !functionCall.name;
}

function soundCall(part: Part): Part {
  const { functionCall } = part;
  if (!functionCall) return {};
  const isDeep = isDeeper(functionCall.args, MAX_DEPTH);
  if (!isDeep && !isNameless(part)) return {};
  const name = functionCall.name || 'unnamed';
  return { functionCall: { ...functionCall, name, ...(isDeep && { args: shallowArgs(functionCall.args) }) } };
}

/** No tool needs deeper arguments, and recursive code that visits arguments must not overflow the stack. */
const MAX_DEPTH = 100;
const TOO_DEEP = `[left out: nested more than ${MAX_DEPTH} deep]`;

function isDeeper(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return most === 0 || Object.values(value).some((each) => isDeeper(each, most - 1));
}

/**
 * Replaces an argument that is nested too deeply with a note. Cutting off only the deep part would change its meaning.
 */
function shallowArgs(args: Record<string, unknown> = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, isDeeper(value, MAX_DEPTH - 1) ? TOO_DEEP : value]),
  );
}

/** Google asks not to join a part that carries a signature with any other part. */
function canJoin(previous: Part, part: Part): boolean {
  return isPlainText(previous) && isPlainText(part) && previous.thought === part.thought;
}

function isPlainText({ text, thoughtSignature }: Part): boolean {
  return text !== undefined && thoughtSignature === undefined;
}

/**
 * Moves leading parts that hold only a signature after the first part, which is how Gemini itself ends a stream of
 * text. If the first part is a call, the call gets the last of these signatures, because the API looks for it there.
 */
function withoutEmptyFirst(parts: readonly Part[]): Part[] {
  const at = parts.findIndex(({ text }) => text !== '');
  const first = parts[at];
  if (!first) return [];
  const before = parts.slice(0, at);
  const thoughtSignature = first.functionCall && !first.thoughtSignature && before.pop()?.thoughtSignature;
  return [{ ...first, ...(thoughtSignature && { thoughtSignature }) }, ...before, ...parts.slice(at + 1)];
}

function withoutNulls(part: Part): Part {
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value !== null));
}
