import type { Event } from '@google/adk';
import type { AgentSend } from '../../protocol/agent/agent-protocol.ts';
import { isNotice } from '../../sessions/notices.ts';
import { attachedName } from './reference-text.ts';

/**
 * Whether the user wrote the name of this file or attached it, so that it may be read although it is hidden. If several
 * folders are open, the name of an attached file begins with its folder.
 */
export function isNamedByUser(events: readonly Event[], relativePath: string, hasSeveralRoots = false): boolean {
  const path = relativePath.toLowerCase();
  const said = events.filter(isTyped);
  const texts = said.flatMap(({ content }) => (content?.parts ?? []).map(({ text }) => text ?? ''));
  return texts.some((text) => {
    const attached = attachedName(text)?.toLowerCase();
    if (attached === undefined) return isWrittenIn(text, path);
    return attached === path || (hasSeveralRoots && attached.slice(attached.indexOf('/') + 1) === path);
  });
}

/** Whether the user's text contains the name of this file. */
export function isWrittenIn(text: string, relativePath: string): boolean {
  const words = text.replace(NOT_THEIRS, ' ').toLowerCase();
  const path = relativePath.toLowerCase();
  return hasWord(words, path) || hasWord(words, path.slice(path.lastIndexOf('/') + 1));
}

/** Attachments, the state of the editor and prompts by others are not text that the user wrote. */
const NOT_THEIRS = /<(untrusted_context|chosen_prompt)>[\s\S]*?<\/\1>/g;

/** `.env` is not named by `.env.example` or `my.env`. A period may end the sentence. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text.slice(at + word.length).replace(/^[.,;:!?]+(?=\s|$)/, ' ');
    if (!/[\w.-]/.test(before) && !/^[\w./\\-]/.test(after)) return true;
  }
  return false;
}

const KEY = 'piped';

/** Where messages come from that are the prompt, but that a program or anyone else may have written. */
const NOT_TYPED: ReadonlySet<string> = new Set(['stdin', 'a2a']);

/** Marks the event of a message that the user need not have written. */
export function pipedMetadata(meta: AgentSend['_meta']): Pick<Event, 'customMetadata'> {
  return typeof meta?.['source'] === 'string' && NOT_TYPED.has(meta['source'])
    ? { customMetadata: { [KEY]: true } }
    : {};
}

/** Whether the event is a message that the user wrote, as far as Gantry knows. */
export function isTyped(event: Pick<Event, 'id' | 'author' | 'customMetadata'>): boolean {
  return event.author === 'user' && !isNotice(event) && event.customMetadata?.[KEY] !== true;
}
