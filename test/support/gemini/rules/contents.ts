import type { Content, FunctionCall, FunctionResponse, Part } from '@google/genai';
import { unknownField } from './fields.ts';

/** The data that a part can contain: exactly one of these. */
export const PART_DATA = [
  'text',
  'functionCall',
  'functionResponse',
  'inlineData',
  'fileData',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
] as const satisfies readonly (keyof Part)[];

const PART_FIELDS: ReadonlySet<string> = new Set([
  ...PART_DATA,
  'thought',
  'thoughtSignature',
  'videoMetadata',
  'mediaResolution',
  'partMetadata',
]);
const CALL_FIELDS: ReadonlySet<string> = new Set(['id', 'name', 'args']);
const RESPONSE_FIELDS: ReadonlySet<string> = new Set(['id', 'name', 'response', 'parts', 'willContinue', 'scheduling']);

/**
 * Google's error for a history that it does not accept, so that a session that would be stuck with the real API is
 * stuck here too (google-gemini/gemini-cli#5443, #3814). It is stricter than Google in one respect: Google merges
 * adjacent contents of one role, while here the responses to the calls of one content must be in one content.
 */
export function historyError(contents: readonly Content[]): string | undefined {
  return contentsError(contents) ?? turnError(contents);
}

/** A request must end with a user turn for the model to answer. */
export function endError(contents: readonly Content[]): string | undefined {
  return contents.at(-1)?.role === 'user' ? undefined : 'Please ensure that multiturn requests end with a user turn.';
}

/** The errors within single contents, which are all that matters for counting tokens. */
export function contentsError(contents: readonly Content[]): string | undefined {
  if (contents.length === 0) return '* GenerateContentRequest.contents: contents is not specified\n';
  return firstOf(contents, contentError);
}

/** Whether the API accepts the name: letters, digits, underscores, dots, colons and dashes, at most 64. */
export function isFunctionName(name: unknown): boolean {
  return typeof name === 'string' && /^[a-zA-Z_][\w.:-]{0,63}$/.test(name);
}

function contentError({ parts = [], role }: Content, index: number): string | undefined {
  const place = `* GenerateContentRequest.contents[${index}].parts`;
  if (role !== 'user' && role !== 'model') return 'Please use a valid role: user, model.';
  if (parts.length === 0) return `${place}: contents.parts must not be empty.\n`;
  return firstOf(parts, (part, at) => partError(part, role, `${place}[${at}]`));
}

function partError(part: Part, role: 'user' | 'model', place: string): string | undefined {
  const unknown = unknownField(part, PART_FIELDS, place);
  if (unknown !== undefined) return unknown;
  const data = PART_DATA.filter((field) => part[field] !== undefined);
  if (data.length === 0) return `${place}.data: required oneof field 'data' must have one initialized field\n`;
  if (data.length > 1) return `${place}: oneof field 'data' is already set. Cannot set '${data[1]}'\n`;
  if (part.text === '' && !part.thoughtSignature) return `${place}.text: must not be empty\n`;
  return (
    callError(part.functionCall, role, place) ??
    responseError(part.functionResponse, role, place) ??
    mediaError(part, place)
  );
}

function callError(call: FunctionCall | undefined, role: string, place: string): string | undefined {
  if (!call) return undefined;
  if (role !== 'model') return `${place}.function_call: only the model calls\n`;
  if (!call.name) return `${place}.function_call.name: Name cannot be empty.\n`;
  return unknownField(call, CALL_FIELDS, `${place}.function_call`);
}

function responseError(given: FunctionResponse | undefined, role: string, place: string): string | undefined {
  if (!given) return undefined;
  if (role !== 'user') return `${place}.function_response: the model does not answer its own calls\n`;
  if (!given.name) return `${place}.function_response.name: Name cannot be empty.\n`;
  if (!isObject(given.response)) return `${place}.function_response.response: is no Struct\n`;
  return unknownField(given, RESPONSE_FIELDS, `${place}.function_response`);
}

function mediaError({ inlineData, fileData }: Part, place: string): string | undefined {
  if (inlineData && !inlineData.mimeType) return `${place}.inline_data.mime_type: [REQUIRED_FIELD_MISSING]\n`;
  if (inlineData && !inlineData.data) return `${place}.inline_data.data: [REQUIRED_FIELD_MISSING]\n`;
  return fileData && !fileData.fileUri ? `${place}.file_data.file_uri: [REQUIRED_FIELD_MISSING]\n` : undefined;
}

function turnError(contents: readonly Content[]): string | undefined {
  if (contents[0]?.role !== 'user') return 'Please ensure that multiturn requests begin with a user turn.';
  return firstOf(contents, (content, index) => pairError(content, contents[index - 1]));
}

function pairError(content: Content, before: Content | undefined): string | undefined {
  const calls = callsIn(before);
  const responses = responsesIn(content);
  if (responses.length > 0 && calls.length === 0) {
    return 'Please ensure that function response turn comes immediately after a function call turn.';
  }
  if (responses.length !== calls.length) {
    return (
      'Please ensure that the number of function response parts is equal to the number of function call parts ' +
      'of the function call turn.'
    );
  }
  // Without ids, only names and order tell which response belongs to which call.
  const strange = calls.findIndex(({ name, id }, at) => responses[at]?.name !== name || responses[at]?.id !== id);
  return strange < 0 ? undefined : `Function response ${strange} is not the one to ${calls[strange]?.name}.`;
}

function callsIn(content: Content | undefined): readonly FunctionCall[] {
  return (content?.parts ?? []).flatMap(({ functionCall }) => functionCall ?? []);
}

function responsesIn(content: Content): readonly FunctionResponse[] {
  return (content.parts ?? []).flatMap(({ functionResponse }) => functionResponse ?? []);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function firstOf<Item>(
  items: readonly Item[],
  errorOf: (item: Item, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const error = errorOf(item, index);
    if (error !== undefined) return error;
  }
  return undefined;
}
