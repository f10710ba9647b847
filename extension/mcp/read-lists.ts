import * as z from 'zod';
import type { ServerPrompt, ServerResource, ServerTool } from './connection-types.ts';

/** Longer descriptions are cut, because they are sent with every request. */
const MAX_TEXT = 16_000;

const name = z.string().min(1).max(1000);
const text = z
  .string()
  .transform((long) => long.slice(0, MAX_TEXT))
  .optional()
  .catch(undefined);
const tool = z.looseObject({
  name,
  title: text,
  description: text,
  inputSchema: z.record(z.string(), z.unknown()).catch({ type: 'object' }),
  annotations: z.record(z.string(), z.unknown()).optional().catch(undefined),
  execution: z.looseObject({ taskSupport: z.unknown() }).optional().catch(undefined),
});
const prompt = z.looseObject({
  name,
  title: text,
  description: text,
  arguments: z
    .array(z.looseObject({ name, description: text, required: z.boolean().optional() }))
    .max(100)
    .catch([]),
});
const resource = z.looseObject({
  uri: z.string().min(1).max(4000),
  name: z.string().catch(''),
  title: text,
  description: text,
  mimeType: text,
});

/**
 * Invalid entries are ignored. Of two entries with the same name, the first counts. Tools that can only be called as
 * tasks, an experimental part of the protocol, are ignored because they would refuse every call.
 */
export function readTools(entries: readonly unknown[]): ServerTool[] {
  const tools = parsed(entries, tool, (each) => each.name).filter(
    ({ execution }) => execution?.taskSupport !== 'required',
  );
  return tools.map(({ name: called, title, description, inputSchema, annotations }) => ({
    name: called,
    ...told({ title: title ?? textOf(annotations?.['title']), description }),
    inputSchema,
    ...(annotations && { annotations }),
  }));
}

export function readPrompts(entries: readonly unknown[]): ServerPrompt[] {
  return parsed(entries, prompt, (each) => each.name).map(({ name: called, title, description, arguments: args }) => ({
    name: called,
    ...told({ title, description }),
    arguments: args.map((each) => ({
      name: each.name,
      ...told({ description: each.description }),
      required: each.required ?? false,
    })),
  }));
}

export function readResources(entries: readonly unknown[]): ServerResource[] {
  return parsed(entries, resource, (each) => each.uri).map(({ uri, name: called, title, description, mimeType }) => ({
    uri,
    name: called || uri,
    ...told({ title, description, mimeType }),
  }));
}

function parsed<T>(entries: readonly unknown[], schema: z.ZodType<T>, keyOf: (entry: T) => string): T[] {
  const known = new Map<string, T>();
  for (const entry of entries) {
    const { success, data } = schema.safeParse(entry);
    if (success && !known.has(keyOf(data))) known.set(keyOf(data), data);
  }
  return [...known.values()];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Removes missing and empty texts. */
function told<Key extends string>(
  texts: Readonly<Record<Key, string | undefined>>,
): { readonly [key in Key]?: string } {
  const said: { [key in Key]?: string } = {};
  for (const key in texts) if (texts[key] !== undefined && texts[key] !== '') said[key] = texts[key];
  return said;
}
