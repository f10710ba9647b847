import type { RequestBody } from '../wire.ts';

const BODY_FIELDS: ReadonlySet<string> = new Set([
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'safetySettings',
  'generationConfig',
  'cachedContent',
]);

const COUNT_FIELDS: ReadonlySet<string> = new Set(['contents', 'generateContentRequest']);

/** https://ai.google.dev/api/generate-content#generationconfig */
const CONFIG_FIELDS: ReadonlySet<string> = new Set([
  'stopSequences',
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
  'responseModalities',
  'candidateCount',
  'maxOutputTokens',
  'temperature',
  'topP',
  'topK',
  'seed',
  'presencePenalty',
  'frequencyPenalty',
  'responseLogprobs',
  'logprobs',
  'enableEnhancedCivicAnswers',
  'speechConfig',
  'thinkingConfig',
  'imageConfig',
  'mediaResolution',
]);

const THINKING_FIELDS: ReadonlySet<string> = new Set(['includeThoughts', 'thinkingBudget', 'thinkingLevel']);

/** The errors of a request apart from its contents and tools. */
export function bodyError(body: RequestBody, counts: boolean): string | undefined {
  const { generationConfig = {}, systemInstruction } = body;
  const thinking = isObject(generationConfig['thinkingConfig']) ? generationConfig['thinkingConfig'] : {};
  return (
    unknownField(body, counts ? COUNT_FIELDS : BODY_FIELDS, 'the request') ??
    unknownField(generationConfig, CONFIG_FIELDS, 'generation_config') ??
    unknownField(thinking, THINKING_FIELDS, 'generation_config.thinking_config') ??
    thinkingError(thinking) ??
    (systemInstruction && instructionError(systemInstruction.parts ?? []))
  );
}

export function unknownField(value: object, known: ReadonlySet<string>, place: string): string | undefined {
  const unknown = Object.keys(value).find((field) => !known.has(field));
  if (unknown === undefined) return undefined;
  return `Invalid JSON payload received. Unknown name "${unknown}" at '${place}': Cannot find field.`;
}

function thinkingError(config: object): string | undefined {
  const both = 'thinkingBudget' in config && 'thinkingLevel' in config;
  return both ? 'You can only set only one of thinking budget and thinking level.' : undefined;
}

function instructionError(parts: readonly object[]): string | undefined {
  const isText = (part: object): boolean => 'text' in part && part.text !== '' && Object.keys(part).length === 1;
  return parts.length > 0 && parts.every(isText) ? undefined : 'system_instruction: must have text in every part';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
