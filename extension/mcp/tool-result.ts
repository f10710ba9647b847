import type { Part } from '@google/genai';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { once } from '../base/once.ts';
import { type ToolResult, toolError } from '../ports/tool.ts';
import { cutLongOutput } from '../text/long-output.ts';
import { mediaTypeOf } from '../text/media-type.ts';
import { asUntrusted } from '../text/untrusted.ts';

const result = once(() =>
  z.looseObject({
    content: z.array(z.unknown()).catch([]),
    structuredContent: z.unknown().optional(),
    isError: z.union([z.boolean(), z.string()]).optional().catch(undefined),
    /** From the first version of the protocol. */
    toolResult: z.unknown().optional(),
  }),
);
const contents = once(() =>
  z.looseObject({
    uri: z.string().catch(''),
    mimeType: z.string().optional().catch(undefined),
    text: z.string().optional(),
    blob: z.string().optional(),
  }),
);
const item = once(() =>
  z.discriminatedUnion('type', [
    z.looseObject({ type: z.literal('text'), text: z.string() }),
    z.looseObject({ type: z.literal('image'), data: z.string(), mimeType: z.string().catch('') }),
    z.looseObject({ type: z.literal('audio'), data: z.string(), mimeType: z.string().catch('') }),
    z.looseObject({ type: z.literal('resource'), resource: contents() }),
    z.looseObject({ type: z.literal('resource_link'), uri: z.string(), name: z.string().optional() }),
  ]),
);

/** Limits for one image and for all images of a result, as base64. A request may have 20 MB in total. */
const MAX_MEDIA = 5_000_000;
const MAX_ALL_MEDIA = 10_000_000;
/** The limit for text with images. Text alone is cut and saved where all tool outputs are. */
const MAX_TEXT = 40_000;

/** Converts a server's response to a call, whatever it is, to a tool result. */
export function toolResultOf(value: unknown): ToolResult {
  const { success, data } = result().safeParse(value);
  if (!success) return toolError('mcp_tool_error', 'The answer of the MCP server makes no sense.');
  const reader = new ContentReader();
  for (const entry of data.content) reader.take(entry);
  if (data.content.length === 0) reader.takeOther(data.structuredContent ?? data.toolResult);
  const { text, media } = reader;
  if (data.isError === true || data.isError === 'true') {
    return toolError(
      'mcp_tool_error',
      asUntrusted(text || 'The MCP server reports an error and says nothing about it.'),
    );
  }
  return { content: contentOf(text, media), ...shown(text, media) };
}

/** Converts a server's resource to a tool result. */
export function resourceResultOf(value: unknown): ToolResult {
  const { success, data } = z.looseObject({ contents: z.array(z.unknown()) }).safeParse(value);
  if (!success) return toolError('mcp_tool_error', 'The answer of the MCP server makes no sense.');
  const reader = new ContentReader();
  for (const resource of data.contents) reader.take({ type: 'resource', resource });
  return { content: contentOf(reader.text, reader.media), ...shown(reader.text, reader.media) };
}

class ContentReader {
  readonly media: Part[] = [];
  private readonly texts: string[] = [];
  private mediaSize = 0;

  get text(): string {
    return this.texts.join('\n');
  }

  take(entry: unknown): void {
    const { success, data } = item().safeParse(entry);
    if (!success) this.takeOther(entry);
    else if (data.type === 'text') this.texts.push(data.text);
    else if (data.type === 'resource') this.takeResource(data.resource);
    else if (data.type === 'resource_link') this.texts.push(`[Resource ${data.name ?? ''}: ${data.uri}]`);
    else this.takeMedia(data.data, data.mimeType || data.type);
  }

  /** Anything that the protocol doesn't define becomes text. */
  takeOther(value: unknown): void {
    if (value !== undefined) this.texts.push(typeof value === 'string' ? value : JSON.stringify(value));
  }

  private takeResource({ uri, mimeType, text, blob }: z.infer<ReturnType<typeof contents>>): void {
    if (text !== undefined) this.texts.push(uri === '' ? text : `[Resource ${uri}]\n${text}`);
    else this.takeMedia(blob ?? '', mimeType ?? 'data', uri);
  }

  /** The bytes decide the type, because the service refuses a whole conversation with unsupported media. */
  private takeMedia(data: string, label: string, uri = ''): void {
    const type = mediaTypeOf(Buffer.from(data.slice(0, 64), 'base64'));
    const what = `${label.slice(0, 100)}${uri === '' ? '' : ` of ${uri}`}, ${Math.round((data.length * 3) / 4000)} kB`;
    const fits = data.length <= MAX_MEDIA && this.mediaSize + data.length <= MAX_ALL_MEDIA;
    if (type === undefined || !fits || !isBase64(data)) {
      this.texts.push(`[${what}: left out, because ${fits ? 'the model cannot look at it' : 'it is too large'}]`);
      return;
    }
    this.mediaSize += data.length;
    this.texts.push(`[${what}: follows]`);
    this.media.push({ inlineData: { data, mimeType: type } });
  }
}

function isBase64(data: string): boolean {
  return data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data);
}

function contentOf(text: string, media: readonly Part[]): ToolResult['content'] {
  if (media.length === 0) return asUntrusted(text === '' ? 'The server says nothing.' : text);
  return [{ text: asUntrusted(cutLongOutput(text, { threshold: MAX_TEXT, file: undefined })) }, ...media];
}

function shown(text: string, media: readonly Part[]): Pick<ToolResult, 'display'> {
  const count = text === '' ? 0 : text.split('\n').length;
  const lines = count === 1 ? l10n.t('1 line') : l10n.t('{0} lines', count);
  const pictures = media.length === 1 ? l10n.t('1 picture') : l10n.t('{0} pictures', media.length);
  const resultSummary = media.length === 0 ? lines : pictures;
  return { display: { resultSummary, result: { type: 'text', text: text.slice(0, MAX_TEXT) } } };
}
