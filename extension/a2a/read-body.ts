import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** Several images fit, and a hundred requests at once fit into memory. */
const MAX_BODY = 16 * 1024 * 1024;
/** What is read and dropped of a body that is too large, so that its connection can be used again. */
const MAX_DROPPED = 64 * 1024 * 1024;
/** Copying deeper values overflows the stack. No real message is that deep. */
const MAX_DEPTH = 100;

export function isTooLarge(headers: IncomingHttpHeaders): boolean {
  return Number(headers['content-length'] ?? 0) > MAX_BODY;
}

/** Undefined if the body is too large, or was cut off. The rest of a large one is read and dropped. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = isTooLarge(request.headers) ? MAX_BODY + 1 : 0;
  try {
    for await (const chunk of request) {
      if (!Buffer.isBuffer(chunk)) return undefined;
      size += chunk.length;
      if (size <= MAX_BODY) chunks.push(chunk);
      else chunks.length = 0;
      if (size > MAX_DROPPED + MAX_BODY) return undefined;
    }
  } catch {
    return undefined;
  }
  return size > MAX_BODY ? undefined : Buffer.concat(chunks).toString('utf8');
}

/** Whether lists and objects are nested too deeply. Looks at the text, because parsing it is the danger. */
export function isTooDeep(json: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (isInString) {
      if (character === '\\') at++;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '{' || character === '[') {
      if (++depth > MAX_DEPTH) return true;
    } else if (character === '}' || character === ']') depth--;
  }
  return false;
}
