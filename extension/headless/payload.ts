import type { AgentSend } from '../protocol/agent/agent-protocol.ts';
import type { AgentSession } from '../protocol/agent/agent-session.ts';
import { isCompressCommand } from '../protocol/agent/compaction.ts';
import { type ContentPart, textPart } from '../protocol/agent/content-part.ts';
import type { AgentService } from '../runtime/agent-service.ts';
import { badInput } from './problem-of.ts';
import type { GivenPrompt } from './prompt.ts';

export interface PayloadPlace {
  readonly service: AgentService;
  readonly session: AgentSession;
  readonly stop: AbortSignal;
  readonly note: (text: string) => void;
}

/** What to send: the prompt with what it mentions and what was piped in, or that a session continues. */
export async function payloadOf({ words, piped: bytes }: GivenPrompt, place: PayloadPlace): Promise<AgentSend> {
  const { messageContext } = place.service;
  const piped = bytes && messageContext.piped(bytes);
  if (words === undefined) {
    if (!piped) return { action: { type: 'continue', data: undefined } };
    if ('text' in piped) return pipedPrompt(piped.text, place);
    const detail = 'The piped input is an image or a document. Use -p "…" to say what to do with it.';
    throw badInput('There is no prompt', detail);
  }
  if (isCompressCommand(words) && !piped) return { action: { type: 'compress', data: undefined } };
  const said = words.startsWith('/') ? await typedCommand(words, place) : undefined;
  const content = [...(said ?? [textPart(words)]), ...(await mentioned(words, true, place))];
  return { message: { content: piped ? [...content, messageContext.pipedPart(piped)] : content } };
}

/** Words that came through a pipe alone are the prompt. Anybody may have written them: they run no command and name no hidden file. */
async function pipedPrompt(text: string, place: PayloadPlace): Promise<AgentSend> {
  const content = [textPart(text), ...(await mentioned(text, false, place))];
  return { message: { content }, _meta: { source: 'stdin' } };
}

/** What a command with a slash says instead of itself; undefined for any other prompt. */
async function typedCommand(words: string, place: PayloadPlace): Promise<readonly ContentPart[] | undefined> {
  const { service, session, stop, note } = place;
  const typed = await service.customCommands.typed(service.idOf(session), words, stop);
  for (const problem of typed?.problems ?? []) note(problem);
  return typed?.parts;
}

async function mentioned(text: string, isTyped: boolean, place: PayloadPlace): Promise<readonly ContentPart[]> {
  const { service, session, stop, note } = place;
  const { parts, problems } = await service.messageContext.mentions.of(service.idOf(session), { text, isTyped }, stop);
  for (const problem of problems) note(problem);
  return parts;
}
