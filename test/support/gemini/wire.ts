import type { Content, FinishReason, GenerateContentResponseUsageMetadata, Part, Tool } from '@google/genai';

export type Operation = 'streamGenerateContent' | 'generateContent' | 'countTokens';
export type FinishReasonName = `${FinishReason}`;
export type Usage = GenerateContentResponseUsageMetadata;

export interface RequestBody {
  readonly contents?: readonly Content[];
  readonly systemInstruction?: Content;
  readonly tools?: readonly Tool[];
  readonly generationConfig?: Readonly<Record<string, unknown>>;
}

export interface Candidate {
  readonly content?: { readonly parts: readonly Part[]; readonly role: 'model' };
  readonly finishReason?: FinishReasonName;
  readonly index: 0;
}

export interface ResponseBody {
  readonly candidates?: readonly Candidate[];
  readonly usageMetadata?: Usage;
  readonly modelVersion?: string;
  readonly responseId?: string;
}

export interface ErrorBody {
  readonly error: {
    readonly code: number;
    readonly message: string;
    readonly status: string;
    readonly details?: readonly object[];
  };
}

export const JSON_TYPE = 'application/json; charset=UTF-8';
export const SSE_TYPE = 'text/event-stream';

/** One server-sent event, compact and terminated with CRLF as Google sends it. */
export function frame(body: unknown): string {
  return `data: ${JSON.stringify(body)}\r\n\r\n`;
}

/** A whole JSON answer, indented and with a final newline as Google sends it. */
export function jsonText(body: unknown): string {
  return `${JSON.stringify(body, undefined, 2)}\n`;
}

const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  408: 'DEADLINE_EXCEEDED',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  500: 'INTERNAL',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

export function errorBody(code: number, message: string, details: readonly object[] = []): ErrorBody {
  const status = STATUS_NAMES[code] ?? 'UNKNOWN';
  return { error: { code, message, status, ...(details.length > 0 ? { details } : {}) } };
}
