import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { once } from '../base/once.ts';
import type { ContentPart } from '../protocol/agent/content-part.ts';
import { attachmentPart, mediaPart } from '../protocol/agent/reference-parts.ts';
import { mediaTypeOf } from '../text/media-type.ts';
import type { ServerAnswer } from './connection-types.ts';

/** The content of a server's resource: one text, or one file as base64. */
export type ResourceContent = { readonly text: string } | { readonly data: string };

const resource = once(() =>
  z.looseObject({
    uri: z.string().catch(''),
    text: z.string().optional(),
    blob: z.string().optional(),
  }),
);
const content = once(() =>
  z.discriminatedUnion('type', [
    z.looseObject({ type: z.literal('text'), text: z.string() }),
    z.looseObject({ type: z.literal('image'), data: z.string() }),
    z.looseObject({ type: z.literal('resource'), resource: resource() }),
    z.looseObject({ type: z.literal('resource_link'), uri: z.string() }),
  ]),
);
const prompt = once(() =>
  z.looseObject({
    messages: z.array(z.looseObject({ role: z.string().catch('user'), content: z.unknown() })).max(100),
  }),
);
const resources = once(() => z.looseObject({ contents: z.array(resource()).max(1000) }));

/** A message may have two million bytes. For more content from a server, the model can request it. */
const MAX_TEXT = 1_000_000;
/** The length as base64. */
const MAX_MEDIA = 5_000_000;

/**
 * The prompt of a server that the user requested, as parts of the user's message. The user didn't write any of it, so
 * its texts are marked as the server's, and quoted content stays data.
 */
export function promptParts(value: unknown, label: string): ServerAnswer<readonly ContentPart[]> {
  const { success, data } = prompt().safeParse(value);
  if (!success) return failed('Its prompt makes no sense.');
  const given = data.messages.flatMap((message) => givenIn(message.role, message.content));
  const attachment = { id: randomUUID(), kind: 'prompt' as const, label };
  const parts = joined(given).map((each) => ('said' in each ? attachmentPart(attachment, each.said) : each.part));
  const size = parts.reduce((sum, part) => sum + ('text' in part ? part.text.length : 0), 0);
  if (size > MAX_TEXT) return failed('Its prompt is too long.');
  return parts.length === 0 ? failed('Its prompt is empty.') : { value: parts };
}

/** Reads the content of a resource. Several texts are joined. */
export function resourceContent(value: unknown): ServerAnswer<ResourceContent> {
  const { success, data } = resources().safeParse(value);
  if (!success) return failed('Its answer makes no sense.');
  const texts = data.contents.flatMap(({ text }) => text ?? []);
  const [blob] = data.contents.flatMap((each) => each.blob ?? []);
  if (texts.length > 0) {
    const text = texts.join('\n');
    return text.length > MAX_TEXT ? failed('It is too large.') : { value: { text } };
  }
  if (blob === undefined) return failed('There is nothing in it.');
  return blob.length > MAX_MEDIA ? failed('It is too large.') : { value: { data: blob } };
}

type Given = { readonly said: string } | { readonly part: ContentPart };

/** Joins consecutive texts. */
function joined(given: readonly Given[]): readonly Given[] {
  const all: Given[] = [];
  for (const each of given) {
    const last = all.at(-1);
    if (last && 'said' in last && 'said' in each) all.splice(-1, 1, { said: `${last.said}\n\n${each.said}` });
    else all.push(each);
  }
  return all;
}

function givenIn(role: string, value: unknown): Given[] {
  const { success, data } = content().safeParse(value);
  if (!success) return [];
  const said = (text: string): Given[] =>
    text === '' ? [] : [{ said: role === 'assistant' ? `Assistant: ${text}` : text }];
  switch (data.type) {
    case 'text':
      return said(data.text);
    case 'image':
      return imageParts(data.data);
    case 'resource_link':
      return said(data.uri);
    case 'resource': {
      const { uri, text } = data.resource;
      const attachment = { id: randomUUID(), kind: 'resource' as const, label: uri || 'resource' };
      return text === undefined ? [] : [{ part: attachmentPart(attachment, text) }];
    }
  }
}

/** The bytes decide about the type, because the service refuses a whole conversation with an unsupported image. */
function imageParts(data: string): Given[] {
  const type = mediaTypeOf(Buffer.from(data.slice(0, 64), 'base64'));
  if (type === undefined || data.length > MAX_MEDIA || !/^[A-Za-z0-9+/]*={0,2}$/.test(data)) return [];
  return [{ part: mediaPart({ id: randomUUID(), kind: 'image', label: 'image' }, data, type) }];
}

function failed(message: string): ServerAnswer<never> {
  return { failed: { kind: 'error', message } };
}
