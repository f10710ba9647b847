import type { Event } from '@google/adk';
import type { AgentSend } from '../../protocol/agent/agent-protocol.ts';
import { isNotice } from '../../sessions/notices.ts';
import { attachedName } from './reference-text.ts';

/**
 * Whether the user wrote the name of this file or attached it, so that they want it looked at although it is hidden. With
 * several folders open, what is attached is named with its folder in front.
 */
export function isNamedByUser(events: readonly Event[], relativePath: string, hasSeveralRoots = false): boolean {
  const path = relativePath.toLowerCase();
  const said = events.filter((event) => event.author === 'user' && !isNotice(event) && !isPiped(event));
  const texts = said.flatMap(({ content }) => (content?.parts ?? []).map(({ text }) => text ?? ''));
  return texts.some((text) => {
    const attached = attachedName(text)?.toLowerCase();
    if (attached === undefined) return isWrittenIn(text, path);
    return attached === path || (hasSeveralRoots && attached.slice(attached.indexOf('/') + 1) === path);
  });
}

/** Whether a text of the user's has the name of this file in it. */
export function isWrittenIn(text: string, relativePath: string): boolean {
  const words = text.replace(NOT_THEIRS, ' ').toLowerCase();
  const path = relativePath.toLowerCase();
  return hasWord(words, path) || hasWord(words, path.slice(path.lastIndexOf('/') + 1));
}

/** What they attached, what is open in their editor, and what a prompt of somebody else says, is not what they wrote. */
const NOT_THEIRS = /<(untrusted_context|chosen_prompt)>[\s\S]*?<\/\1>/g;

/** `.env` is not named by `.env.example`, nor by `my.env`. A full stop may end the sentence. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text.slice(at + word.length).replace(/^[.,;:!?]+(?=\s|$)/, ' ');
    if (!/[\w.-]/.test(before) && !/^[\w./\\-]/.test(after)) return true;
  }
  return false;
}

const KEY = 'piped';

/** For the event of a message whose words came from a pipe: they are the prompt, but anybody may have written them. */
export function pipedMetadata(meta: AgentSend['_meta']): Pick<Event, 'customMetadata'> {
  return meta?.['source'] === 'stdin' ? { customMetadata: { [KEY]: true } } : {};
}

function isPiped({ customMetadata }: Pick<Event, 'customMetadata'>): boolean {
  return customMetadata?.[KEY] === true;
}
