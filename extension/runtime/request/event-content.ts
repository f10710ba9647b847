import {
  type Event,
  REQUEST_CONFIRMATION_FUNCTION_CALL_NAME,
  REQUEST_CREDENTIAL_FUNCTION_CALL_NAME,
  REQUEST_INPUT_FUNCTION_CALL_NAME,
} from '@google/adk';
import type { Content, Part } from '@google/genai';

/** Who asks: it decides which events belong to the request, and which of those are quotations. */
export interface Viewpoint {
  readonly agentName: string;
  readonly branch: string | undefined;
  readonly isolationScope: string | undefined;
}

/** ADK's own questions to the user; they never reach the model. */
const ADK_QUESTIONS: ReadonlySet<string | undefined> = new Set([
  REQUEST_CREDENTIAL_FUNCTION_CALL_NAME,
  REQUEST_CONFIRMATION_FUNCTION_CALL_NAME,
  REQUEST_INPUT_FUNCTION_CALL_NAME,
]);

/** Ids that ADK made up for calls that had none; the API did not give them and does not get them. */
const ADK_ID = 'adk-';

/** What an event adds to the request, or nothing. The same rules as ADK's own (docs/adk.md), ids still in place. */
export function contentOf(event: Event, viewpoint: Viewpoint): Content | undefined {
  const { author, content, branch, isolationScope } = event;
  if (!content?.role || content.parts?.[0]?.text === '') return undefined;
  if (branch && viewpoint.branch && !isWithin(viewpoint.branch, branch)) return undefined;
  if (isolationScope !== undefined && isolationScope !== viewpoint.isolationScope) return undefined;
  if (content.parts?.some(isAdkQuestion)) return undefined;
  const isForeign = viewpoint.agentName !== '' && author !== viewpoint.agentName && author !== 'user';
  return isForeign && content.parts?.length ? quotation(author, content.parts) : content;
}

/** Several answer contents as one: the parts in order, a later answer to a call in place of the earlier. */
export function mergeAnswers([first = {}, ...later]: readonly Content[]): Content {
  const parts = [...(first.parts ?? [])];
  const placeOf = new Map<string, number>();
  const remember = ({ functionResponse }: Part, place: number): void => {
    if (functionResponse?.id) placeOf.set(functionResponse.id, place);
  };
  parts.forEach(remember);
  for (const part of later.flatMap((content) => content.parts ?? [])) {
    const place = placeOf.get(part.functionResponse?.id ?? '') ?? parts.length;
    parts[place] = part;
    remember(part, place);
  }
  return { ...first, parts };
}

export function withoutAdkIds(content: Content): Content {
  if (!content.parts?.some(hasAdkId)) return content;
  return { ...content, parts: content.parts.map((part) => (hasAdkId(part) ? withoutAdkId(part) : part)) };
}

function isWithin(branch: string, ancestor: string): boolean {
  return branch === ancestor || branch.startsWith(`${ancestor}.`);
}

function isAdkQuestion({ functionCall, functionResponse }: Part): boolean {
  return ADK_QUESTIONS.has(functionCall?.name) || ADK_QUESTIONS.has(functionResponse?.name);
}

function quotation(author: string | undefined, parts: readonly Part[]): Content {
  return { role: 'user', parts: [{ text: 'For context:' }, ...parts.map((part) => quoted(author, part))] };
}

function quoted(author: string | undefined, part: Part): Part {
  const { text, thought, functionCall, functionResponse } = part;
  if (text && !thought) return { text: `[${author}] said: ${text}` };
  if (functionCall) {
    const parameters = jsonOf(functionCall.args);
    return { text: `[${author}] called tool \`${functionCall.name}\` with parameters: ${parameters}` };
  }
  if (functionResponse) {
    const result = jsonOf(functionResponse.response);
    return { text: `[${author}] tool \`${functionResponse.name}\` returned result: ${result}` };
  }
  return part;
}

function jsonOf(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value);
  } catch {
    // Not JSON, e.g. a cycle: a request must not fail for the sake of a quotation.
    return String(value);
  }
}

function hasAdkId({ functionCall, functionResponse }: Part): boolean {
  return Boolean(functionCall?.id?.startsWith(ADK_ID) || functionResponse?.id?.startsWith(ADK_ID));
}

function withoutAdkId(part: Part): Part {
  const { functionCall, functionResponse } = part;
  return {
    ...part,
    ...(functionCall && { functionCall: anonymous(functionCall) }),
    ...(functionResponse && { functionResponse: anonymous(functionResponse) }),
  };
}

function anonymous<T extends { id?: string }>(call: T): Omit<T, 'id'> | T {
  if (!call.id?.startsWith(ADK_ID)) return call;
  const { id: _, ...rest } = call;
  return rest;
}
