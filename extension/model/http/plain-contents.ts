import type { Content, FunctionCall, FunctionResponse, Part } from '@google/genai';

/**
 * The JSON of each content, byte for byte as the SDK would write it, but in a tenth of the time. Undefined if one of them
 * has more than text, thoughts, calls and results: the SDK knows what each service accepts.
 */
export function writtenPlainly(contents: readonly Content[], isVertex: boolean): readonly string[] | undefined {
  const written = contents.map((content) => plainContent(content, isVertex));
  return written.every((content) => content !== undefined)
    ? written.map((content) => JSON.stringify(content))
    : undefined;
}

function plainContent({ role, parts, ...others }: Content, isVertex: boolean): object | undefined {
  if (typeof role !== 'string' || !Array.isArray(parts) || !isEmpty(others)) return undefined;
  const written = parts.map((part) => plainPart(part, isVertex));
  return written.every((part) => part !== undefined) ? { parts: written, role } : undefined;
}

function plainPart(part: Part, isVertex: boolean): object | undefined {
  const { functionCall: called, functionResponse: answered, text, thought, thoughtSignature, ...others } = part;
  if (!isEmpty(others)) return undefined;
  const functionCall = called && plainCall(called, isVertex);
  const functionResponse = answered && plainResponse(answered);
  if ((called && !functionCall) || (answered && !functionResponse)) return undefined;
  const isPlain =
    isTextOrNone(text) && isTextOrNone(thoughtSignature) && (thought === undefined || typeof thought === 'boolean');
  return isPlain ? { functionCall, functionResponse, text, thought, thoughtSignature } : undefined;
}

/** The SDK puts the fields in another order for the Gemini API. */
function plainCall(call: FunctionCall, isVertex: boolean): object | undefined {
  const { id, name, args, ...others } = call;
  if (!isEmpty(others) || !isTextOrNone(id) || !isTextOrNone(name) || args === null) return undefined;
  return isVertex ? call : { args, id, name };
}

/** For Vertex AI, the SDK puts the fields in this order. The Gemini API gets them as they are, which is this order too. */
function plainResponse(answer: FunctionResponse): object | undefined {
  const { id, name, response, ...others } = answer;
  if (!isEmpty(others) || !isTextOrNone(id) || !isTextOrNone(name) || typeof response !== 'object') return undefined;
  const isInOrder = Object.keys(answer).every(
    (key, at, keys) => at === 0 || ORDER.indexOf(keys[at - 1] ?? '') < ORDER.indexOf(key),
  );
  return isInOrder && response !== null ? answer : undefined;
}

const ORDER: readonly string[] = ['id', 'name', 'response'];

function isTextOrNone(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isEmpty(fields: object): boolean {
  for (const _ in fields) return false;
  return true;
}
