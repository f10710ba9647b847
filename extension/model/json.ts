/** Returns undefined for text that is not JSON. No valid JSON parses to undefined. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The positions where the elements of an array end, in well-formed JSON text. `from` is the position after the opening
 * bracket.
 */
export function elementEnds(text: string, from: number): number[] {
  const ends: number[] = [];
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at + 1);
    else if (code === OPENS_OBJECT || code === OPENS_ARRAY) depth++;
    else if (depth > 0 && (code === CLOSES_OBJECT || code === CLOSES_ARRAY)) depth--;
    else if (depth === 0 && (code === COMMA || code === CLOSES_ARRAY)) {
      if (at > from) ends.push(at);
      if (code === CLOSES_ARRAY) break;
    }
  }
  return ends;
}

/** The position of the closing quote. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = at;
    while (text.charCodeAt(escapes - 1) === BACKSLASH) escapes--;
    if ((at - escapes) % 2 === 0) return at;
  }
  return text.length;
}

const [QUOTE, COMMA, BACKSLASH] = [34, 44, 92];
const [OPENS_OBJECT, CLOSES_OBJECT, OPENS_ARRAY, CLOSES_ARRAY] = [123, 125, 91, 93];
