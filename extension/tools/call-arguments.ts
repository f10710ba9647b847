import type * as z from 'zod';
import type { Tool, TouchedPath } from '../ports/tool.ts';

type Parsed<Schema extends z.ZodObject> = z.ZodSafeParseResult<z.infer<Schema>>;

/** The results by the arguments, which nobody changes after a call was made. */
const known = new WeakMap<object, { readonly schema: z.ZodObject; readonly parsed: Parsed<z.ZodObject> }>();

/**
 * Parses the arguments of a call for its tool. On its way, a call is looked at half a dozen times, and each time its
 * arguments are needed.
 */
export function parsedArguments({ schema }: Pick<Tool, 'schema'>, args: unknown): Parsed<Tool['schema']> {
  if (typeof args !== 'object' || args === null) return schema.safeParse(args);
  const earlier = known.get(args);
  if (earlier?.schema === schema) return earlier.parsed;
  const parsed = schema.safeParse(args);
  known.set(args, { schema, parsed });
  return parsed;
}

/** The paths in the arguments of a call. Arguments that don't fit the tool name no paths. */
export function touchedPaths(tool: Tool | undefined, args: unknown): readonly TouchedPath[] {
  if (!tool?.touches) return [];
  const parsed = parsedArguments(tool, args);
  return parsed.success ? tool.touches(parsed.data) : [];
}
