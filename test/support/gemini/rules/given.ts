import type { Content, FunctionCall, Part } from '@google/genai';
import { isFunctionName, PART_DATA } from './contents.ts';

/**
 * Everything that an endpoint has sent, so that it recognizes it in later requests. A signature must return on its own
 * part: Gemini 3 refuses a request in which it is on another part or missing. An id is accepted only if this endpoint
 * assigned it; elsewhere, the field does not exist (https://ai.google.dev/gemini-api/docs/thought-signatures;
 * vercel/ai#15891).
 */
export class Given {
  /** The contents of the parts of each signature. */
  readonly #signatures = new Map<string, Set<string>>();
  /** Whether the call was signed each time it was made. */
  readonly #calls = new Map<string, boolean>();
  readonly #ids = new Set<string>();
  readonly #names = new Set<string>();

  /** Records what is sent to a client. Content without parts can't return. */
  take(sent: unknown): void {
    if (typeof sent !== 'object' || sent === null) return;
    if (isPart(sent)) this.#takePart(sent);
    else for (const value of Object.values(sent)) this.take(value);
  }

  /** Records the JSON in raw bytes, if there is any. */
  takeText(text: string): void {
    for (const line of [text, ...text.split(/\r?\n/).map((each) => each.replace(/^data:/, ''))]) {
      try {
        this.take(JSON.parse(line));
      } catch {
        // An incomplete event contains nothing that could return.
      }
    }
  }

  error(contents: readonly Content[]): string | undefined {
    for (const [index, { parts = [] }] of contents.entries()) {
      for (const [at, part] of parts.entries()) {
        const error = this.#partError(part);
        if (error !== undefined) return `contents[${index}].parts[${at}]: ${error}`;
      }
    }
    return undefined;
  }

  #takePart(part: Part): void {
    const { functionCall, thoughtSignature } = part;
    if (thoughtSignature) {
      const places = this.#signatures.get(thoughtSignature) ?? new Set();
      this.#signatures.set(thoughtSignature, places.add(wordsOf(part)));
    }
    if (functionCall?.id) this.#ids.add(functionCall.id);
    if (!functionCall?.name) return;
    const words = wordsOf(part);
    this.#calls.set(words, (this.#calls.get(words) ?? true) && Boolean(thoughtSignature));
    this.#names.add(functionCall.name);
  }

  #partError(part: Part): string | undefined {
    const { functionCall, functionResponse, thoughtSignature } = part;
    const { id, name = '' } = functionCall ?? functionResponse ?? {};
    if (id !== undefined && !this.#ids.has(id)) return `Unknown name "id": Cannot find field. (${id} was never given.)`;
    if ((functionCall ?? functionResponse) && !this.#names.has(name) && !isFunctionName(name))
      return `Invalid function name ${name}.`;
    if (thoughtSignature === undefined) {
      const isMissing = functionCall !== undefined && this.#calls.get(wordsOf(part));
      return isMissing ? `Function call is missing a thought_signature in functionCall parts: ${name}.` : undefined;
    }
    const places = this.#signatures.get(thoughtSignature);
    if (!places) return `Invalid thought signature. (${thoughtSignature} was never given.)`;
    // A signature on an empty part belongs to the part next to it.
    return places.has(wordsOf(part)) || places.has('') ? undefined : 'Corrupted thought signature.';
  }
}

function isPart(value: object): value is Part {
  return 'functionCall' in value || 'thoughtSignature' in value;
}

/** The content of a part that must return unchanged. It excludes ids, and absent arguments equal empty ones. */
function wordsOf({ thoughtSignature: _, functionCall, ...rest }: Part): string {
  // The API refuses a call without a name, and a client can't send a part of an unknown kind.
  if (functionCall) return functionCall.name ? JSON.stringify(sorted(callOf(functionCall))) : '';
  const { text = '', thought } = rest;
  if (text === '' && !PART_DATA.some((key) => key !== 'text' && key in rest)) return '';
  return JSON.stringify(sorted({ ...rest, ...(thought && { thought }) }));
}

function callOf({ name, args }: FunctionCall): object {
  return { name, args: args ?? {} };
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}
