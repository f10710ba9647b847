const TAG = /<(\/?)state_snapshot>/g;
const SCRATCHPAD = /<scratchpad>[\s\S]*?<\/scratchpad>/g;

/**
 * The snapshot alone, without what the model thought aloud before it: its last whole `<state_snapshot>` element.
 * Undefined when there is none, or nothing in it.
 */
export function snapshotIn(answer: string): string | undefined {
  const text = answer.replace(SCRATCHPAD, '');
  let depth = 0;
  let from = 0;
  let found: string | undefined;
  for (const tag of text.matchAll(TAG)) {
    if (tag[1] === '') {
      if (depth === 0) from = tag.index;
      depth++;
    } else if (depth > 0 && --depth === 0) {
      found = text.slice(from, tag.index + tag[0].length);
    }
  }
  return found !== undefined && found.replace(/<[^>]*>/g, '').trim() !== '' ? found : undefined;
}
