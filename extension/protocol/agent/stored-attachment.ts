import { isObject } from '../../base/objects.ts';
import type { Attachment } from './attachment.ts';

/** An attachment before its message is sent: with its text, or the URI that is read when the message is sent. */
export interface StoredAttachment {
  readonly attachment: Attachment;
  readonly content: { readonly text: string } | { readonly uri: string };
}

/**
 * Returns an empty list if another version stored a different format. This runs at activation, so it parses by hand: a
 * schema would load all of zod.
 */
export function readStoredAttachments(value: unknown): readonly StoredAttachment[] {
  const items = Array.isArray(value) ? value.map(readStored) : [];
  const known = items.filter((item) => item !== undefined);
  return known.length === items.length ? known : [];
}

function readStored(value: unknown): StoredAttachment | undefined {
  if (!isObject(value)) return undefined;
  const attachment = readAttachment(value['attachment']);
  const content = readContent(value['content']);
  return attachment && content && { attachment, content };
}

function readAttachment(value: unknown): Attachment | undefined {
  if (!isObject(value)) return undefined;
  const { id, kind, label, path, startLine, endLine } = value;
  const known = KINDS.find((other) => other === kind);
  if (typeof id !== 'string' || typeof label !== 'string' || known === undefined) return undefined;
  if (!isAbsentOr(path, 'string') || !isAbsentOr(startLine, 'number') || !isAbsentOr(endLine, 'number'))
    return undefined;
  return {
    id,
    kind: known,
    label,
    ...(typeof path === 'string' && { path }),
    ...(typeof startLine === 'number' && { startLine }),
    ...(typeof endLine === 'number' && { endLine }),
  };
}

function readContent(value: unknown): StoredAttachment['content'] | undefined {
  if (!isObject(value)) return undefined;
  if (typeof value['text'] === 'string') return { text: value['text'] };
  return typeof value['uri'] === 'string' ? { uri: value['uri'] } : undefined;
}

const isAbsentOr = (value: unknown, type: 'string' | 'number'): boolean => value === undefined || typeof value === type;

const KINDS: readonly Attachment['kind'][] = [
  'file',
  'folder',
  'selection',
  'terminal',
  'problem',
  'changes',
  'resource',
  'image',
  'document',
];
