import * as z from 'zod';
import type { Tool } from '../ports/tool.ts';

export type ToolParameters = Readonly<Record<string, unknown>>;

/**
 * Set by the build for the shipped bundles: the parameters of the product's tools by name, as `parametersOf` makes them.
 * Making all schemas, and parameters of them, would take a tenth of the time to the first request.
 */
declare const TOOL_PARAMETERS: Readonly<Record<string, ToolParameters>> | undefined;

/** Lets the tools be declared without their schemas, which are then made for the first call. */
export function withBuiltParameters(tools: readonly Tool[]): readonly Tool[] {
  if (typeof TOOL_PARAMETERS === 'undefined') return tools;
  for (const tool of tools) Object.defineProperty(tool, 'parameters', { value: TOOL_PARAMETERS[tool.name] });
  return tools;
}

/** The JSON Schema of the arguments for the model. */
export function parametersOf(schema: Tool['schema']): ToolParameters {
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: 'input', override: withoutSafeIntegers });
  return parameters;
}

/** Every integer has the bounds of safe integers, which tell the model nothing and cost tokens with every request. */
function withoutSafeIntegers({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}
