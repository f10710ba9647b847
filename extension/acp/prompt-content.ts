import { fileURLToPath } from 'node:url';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { ContentPart } from '../protocol/agent/content-part.ts';
import { invalidParams } from './errors.ts';

/** A prompt of the client, taken apart. */
export interface ReceivedPrompt {
  /** What the user wrote. Files that the client links to are in it as mentions. */
  readonly text: string;
  /** Contents that the client sends along. */
  readonly attached: readonly ContentPart[];
}

export function receivedPrompt(blocks: readonly ContentBlock[]): ReceivedPrompt {
  const words: string[] = [];
  const attached: ContentPart[] = [];
  for (const block of blocks) {
    switch (block.type) {
      case 'text':
        words.push(block.text);
        break;
      case 'resource_link':
        words.push(mention(block.uri, words.at(-1) ?? ''));
        break;
      case 'image':
        attached.push({ type: 'media', data: block.data, mimeType: block.mimeType });
        break;
      case 'resource': {
        const { resource } = block;
        // The same words as for a link, so that the text says where in it the file belongs.
        words.push(nameOf(resource.uri));
        if ('text' in resource) attached.push({ type: 'reference', text: resource.text, uri: resource.uri });
        else attached.push(blobPart(resource));
        break;
      }
      default:
        throw invalidParams(`Gantry does not support ${block.type} content in prompts.`);
    }
  }
  const text = words.join('');
  if (text.trim() === '' && attached.length === 0) throw invalidParams('The prompt is empty.');
  return { text, attached };
}

function blobPart({ blob, mimeType }: { readonly blob: string; readonly mimeType?: string | null }): ContentPart {
  return { type: 'media', data: blob, mimeType: mimeType ?? 'application/octet-stream' };
}

/** Gantry attaches the files that a text mentions. Other addresses are only words. A mention begins a word. */
function mention(uri: string, before: string): string {
  const path = pathOf(uri);
  const space = /\S$/.test(before) ? ' ' : '';
  return path === undefined ? `${space}${uri}` : `${space}@"${path.replace(/["\n]/g, '')}"`;
}

function nameOf(uri: string): string {
  return pathOf(uri) ?? uri;
}

function pathOf(uri: string): string | undefined {
  try {
    // A fragment names lines, as in file:///a.ts#L10-20.
    return uri.startsWith('file:') ? fileURLToPath(uri.replace(/[#?].*$/s, '')) : undefined;
  } catch {
    return undefined;
  }
}
