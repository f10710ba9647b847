import type { Event } from '@google/adk';
import { isNotice } from '../sessions/notices.ts';

/** Whether the user wrote the name of this file or attached it, so that they want it looked at although it is hidden. */
export function isNamedByUser(events: readonly Event[], relativePath: string): boolean {
  const path = relativePath.toLowerCase();
  const names = new Set([path, path.slice(path.lastIndexOf('/') + 1)]);
  const said = events.filter((event) => event.author === 'user' && !isNotice(event));
  return said.some((event) => [...names].some((name) => hasWord(textOf(event), name)));
}

function textOf({ content }: Event): string {
  return (content?.parts ?? [])
    .map(({ text }) => (text ?? '').replace(UNTRUSTED, ' '))
    .join('\n')
    .toLowerCase();
}

/** What they attached, and what is open in their editor, is not what they wrote. */
const UNTRUSTED = /<untrusted_context>[\s\S]*?<\/untrusted_context>/g;

/** `.env` is not named by `.env.example`, nor by `my.env`. A full stop may end the sentence. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text.slice(at + word.length).replace(/^[.,;:!?]+(?=\s|$)/, ' ');
    if (!/[\w.-]/.test(before) && !/^[\w./\\-]/.test(after)) return true;
  }
  return false;
}
