import type { Event } from '@google/adk';
import type { AgentSend } from '../../protocol/agent/agent-protocol.ts';

const KEY = 'piped';

/** For the event of a message whose words came from a pipe: they are the prompt, but anybody may have written them. */
export function pipedMetadata(meta: AgentSend['_meta']): Pick<Event, 'customMetadata'> {
  return meta?.['source'] === 'stdin' ? { customMetadata: { [KEY]: true } } : {};
}

export function isPiped({ customMetadata }: Pick<Event, 'customMetadata'>): boolean {
  return customMetadata?.[KEY] === true;
}
