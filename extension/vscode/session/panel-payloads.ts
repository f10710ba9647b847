import type { AgentSend } from '../../protocol/agent/agent-protocol.ts';
import type { Delivery } from '../../protocol/agent/content-part.ts';
import { type ContentPart, textPart } from '../../protocol/agent/content-part.ts';
import type { ToHost } from '../../protocol/panel/host-messages.ts';

/** Parts of a message, or a function that reads them first. If it throws, the message is refused. */
export type MessageParts = readonly ContentPart[] | (() => Promise<readonly ContentPart[]>);

export type PanelAnswer = Omit<Extract<ToHost, { type: 'answer' }>, 'type'> & { readonly alone?: boolean };

/** The content of a message: what the user typed, or the expansion of a slash command. */
export type Words = string | readonly ContentPart[];

export async function messagePayload(words: Words, delivery?: Delivery, parts: MessageParts = []): Promise<AgentSend> {
  const said = typeof words === 'string' ? [textPart(words)] : words;
  const more = typeof parts === 'function' ? await parts() : parts;
  return { message: { content: [...said, ...more], ...(delivery && { delivery }) } };
}

/** Where an answer was given; `keyboard` is a key on the card. */
export type AnswerSource = 'panel' | 'keyboard' | 'notification' | 'diff';

/** An answer without a decision is a rejection. `alone` means that it says nothing about other edits. */
export function answerPayload(answered: PanelAnswer, source: AnswerSource = 'panel'): AgentSend {
  const { requestId, decision, reason, alone, by: _, ...more } = answered;
  const answer =
    decision === undefined
      ? { action: 'decline' as const, content: { ...(reason !== undefined && { reason }), ...(alone && { alone }) } }
      : { action: 'accept' as const, content: { decision, ...more } };
  return { elicitations: [{ requestId, ...answer }], _meta: { source } };
}
