import type { Part } from '@google/genai';

/**
 * What a part of an answer can hold beside text. A kind that is unknown here is omitted, because the SDK would write an
 * empty part for it, which the API refuses in every request that follows. An answer to a call is not for a model to give.
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
 * The parts of a model's answer as they are stored and sent back: the same however the service cut them, in the order in
 * which they came, and never with an empty text first, because ADK leaves out such an answer (docs/adk.md). Applied to
 * its own result it changes nothing.
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

/** What a part says, without what is null: nothing for a part that is empty and carries no signature. */
export function saidIn(part: Part): Part[] {
  const { text, thought, thoughtSignature, ...rest } = part;
  const kind = thought ? { thought } : {};
  const signed = { ...kind, ...(thoughtSignature && { thoughtSignature }) };
  if (KINDS.some((name) => part[name])) {
    // Some gateways give a call an empty text of its own.
    return [...(text ? [{ text, ...kind }] : []), { ...withoutNulls(rest), ...soundCall(part), ...signed }];
  }
  return text || thoughtSignature ? [{ text: text ?? '', ...signed }] : [];
}

/** Whether the API would refuse to have this call sent back. */
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

/** No tool wants more, and everything that walks through arguments has to come back. */
const MAX_DEPTH = 100;
const TOO_DEEP = `[left out: nested more than ${MAX_DEPTH} deep]`;

function isDeeper(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return most === 0 || Object.values(value).some((each) => isDeeper(each, most - 1));
}

/** What is too deep as a whole is replaced by words that say so: half of it would be something else. */
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
 * Signatures in front of everything else move behind the first part, which is how Gemini itself ends a stream of text.
 * In front of a call, the last of them is put on that call, where the API looks for it.
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
