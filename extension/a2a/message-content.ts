import { type Message, type Part, Role } from '@a2a-js/sdk';
import { isObject } from '../base/objects.ts';
import type { ContentPart } from '../protocol/agent/content-part.ts';
import { malformed, unsupportedContent } from './errors.ts';
import { answersQuestion } from './questions.ts';

/** A message of a client, taken apart. */
export interface ReceivedMessage {
  /** The words, which may answer a question of the agent. */
  readonly text: string;
  /** What goes to the agent: the words, and what came with them. */
  readonly content: readonly ContentPart[];
  readonly answers: readonly Part[];
  /** Whether the session should continue where its last run stopped. */
  readonly continues: boolean;
}

/** The SDK checks hardly anything of what clients of 0.3 send, and its types promise more. */
export function requireMessage(message: Message | undefined): Message {
  const texts: readonly unknown[] = [message?.messageId, message?.contextId, message?.taskId];
  if (!message || message.messageId === '' || texts.some((text) => typeof text !== 'string')) {
    throw malformed('A message needs a messageId, and its ids are texts.');
  }
  if (message.role !== Role.ROLE_USER) throw malformed('Clients send messages of the role user.');
  for (const { content, filename, mediaType } of message.parts) {
    const values: readonly unknown[] = [
      filename,
      mediaType,
      content?.$case === 'text' || content?.$case === 'url' ? content.value : '',
    ];
    if (values.some((value) => typeof value !== 'string')) throw malformed('A part of the message is not valid.');
  }
  return message;
}

export function receivedMessage({ parts }: Pick<Message, 'parts'>): ReceivedMessage {
  const answers = parts.filter(answersQuestion);
  const continues = parts.some(isContinue);
  const content = parts.filter((part) => !answersQuestion(part) && !isContinue(part)).map(contentOf);
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  const isEmpty = text.trim() === '' && content.every(({ type }) => type === 'text');
  if (isEmpty && answers.length === 0 && !continues) throw malformed('The message is empty.');
  return { text, content: isEmpty ? [] : content, answers, continues };
}

function isContinue({ content }: Part): boolean {
  return (
    content?.$case === 'data' &&
    isObject(content.value) &&
    content.value['action'] === 'continue' &&
    !('requestId' in content.value)
  );
}

function contentOf({ content, mediaType, filename }: Part): ContentPart {
  switch (content?.$case) {
    case 'text':
      return { type: 'text', text: content.value };
    case 'raw': {
      const name = filename || 'a file';
      if (isText(mediaType)) return { type: 'reference', text: content.value.toString('utf8'), uri: name };
      if (mediaType === '') throw unsupportedContent(`The media type of ${name} is missing.`);
      return { type: 'media', data: content.value.toString('base64'), mimeType: mediaType };
    }
    case 'url':
      // Gantry fetches nothing that a message names. The model's service may, as it does for other media.
      if (!/^(https?|gs):\/\//i.test(content.value) || mediaType === '') {
        throw unsupportedContent('A file by its address needs an http, https or gs URL and a media type.');
      }
      return { type: 'media', uri: content.value, mimeType: mediaType };
    case 'data':
      return { type: 'reference', text: JSON.stringify(content.value, undefined, 2) ?? 'null', uri: 'data.json' };
    default:
      throw malformed('A part has no content.');
  }
}

function isText(mediaType: string): boolean {
  return /^(text\/|application\/(json|xml|yaml|toml)\b)/i.test(mediaType);
}
