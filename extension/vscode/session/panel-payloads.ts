import type { AgentSend } from '../../protocol/agent/agent-protocol.ts';
import type { Delivery } from '../../protocol/agent/content-part.ts';
import { type ContentPart, textPart } from '../../protocol/agent/content-part.ts';
import type { ToHost } from '../../protocol/panel/host-messages.ts';

/** As they are, or as a function when they have to be read first; what it throws refuses the message. */
export type MessageParts = readonly ContentPart[] | (() => Promise<readonly ContentPart[]>);

export type PanelAnswer = Omit<Extract<ToHost, { type: 'answer' }>, 'type'> & { readonly alone?: boolean };

/** What the user says: what they typed, or what a command of theirs is replaced by. */
export type Words = string | readonly ContentPart[];

export async function messagePayload(words: Words, delivery?: Delivery, parts: MessageParts = []): Promise<AgentSend> {
  const said = typeof words === 'string' ? [textPart(words)] : words;
  const more = typeof parts === 'function' ? await parts() : parts;
  return { message: { content: [...said, ...more], ...(delivery && { delivery }) } };
}

/** Where an answer was given; `keyboard` is a key on the card. */
export type AnswerSource = 'panel' | 'keyboard' | 'notification' | 'diff';

/** Without a decision it is a rejection; `alone` when it says nothing about other edits. */
export function answerPayload(answered: PanelAnswer, source: AnswerSource = 'panel'): AgentSend {
  const { requestId, decision, reason, alone, by: _, ...more } = answered;
  const answer =
    decision === undefined
      ? { action: 'decline' as const, content: { ...(reason !== undefined && { reason }), ...(alone && { alone }) } }
      : { action: 'accept' as const, content: { decision, ...more } };
  return { elicitations: [{ requestId, ...answer }], _meta: { source } };
}
