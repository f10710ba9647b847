import type { FunctionDeclaration, Tool } from '@google/genai';
import { isFunctionName } from './contents.ts';
import { unknownField } from './fields.ts';

const TOOL_FIELDS: ReadonlySet<string> = new Set([
  'functionDeclarations',
  'googleSearch',
  'googleSearchRetrieval',
  'codeExecution',
  'urlContext',
  'computerUse',
  'fileSearch',
  'googleMaps',
]);

const DECLARATION_FIELDS: ReadonlySet<string> = new Set([
  'name',
  'description',
  'behavior',
  'parameters',
  'parametersJsonSchema',
  'response',
  'responseJsonSchema',
]);

/** The maximum number of declarations in a request. */
const MOST_DECLARATIONS = 512;

/** The errors of a request's tools. */
export function toolsError(tools: readonly Tool[]): string | undefined {
  const declarations = tools.flatMap((tool) => tool.functionDeclarations ?? []);
  const names = declarations.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) return `Duplicate function declaration found: ${twice}`;
  if (declarations.length > MOST_DECLARATIONS) return `At most ${MOST_DECLARATIONS} functions can be declared.`;
  for (const tool of tools) {
    const unknown = unknownField(tool, TOOL_FIELDS, 'tools');
    if (unknown !== undefined) return unknown;
    if (tool.functionDeclarations?.length === 0) return 'tools.function_declarations: must not be empty';
  }
  for (const [index, declaration] of declarations.entries()) {
    const error = declarationError(declaration, `tools[0].function_declarations[${index}]`);
    if (error !== undefined) return error;
  }
  return undefined;
}

function declarationError(declaration: FunctionDeclaration, place: string): string | undefined {
  const { name, parameters, parametersJsonSchema } = declaration;
  if (!isFunctionName(name)) return `${place}.name: [FIELD_INVALID] Invalid function name.`;
  if (parameters && parametersJsonSchema) return `${place}: parameters and parameters_json_schema exclude each other`;
  if (parameters) return `${place}.parameters: schemas are written as JSON schema here`;
  return (
    unknownField(declaration, DECLARATION_FIELDS, place) ??
    (parametersJsonSchema === undefined ? undefined : objectError(parametersJsonSchema, place))
  );
}

/**
 * Any JSON schema keyword is accepted, but the schema must be consistent
 * (https://ai.google.dev/gemini-api/docs/function-calling).
 */
function objectError(schema: unknown, place: string): string | undefined {
  if (!isRecord(schema) || schema['type'] !== 'object') return `${place}.parameters_json_schema: should be an object`;
  return schemaError(schema, `${place}.parameters_json_schema`);
}

function schemaError(schema: unknown, place: string): string | undefined {
  if (typeof schema === 'boolean') return undefined;
  if (!isRecord(schema)) return `${place}: is no schema`;
  const { properties = {}, required = [], items, enum: values, anyOf = [] } = schema;
  if (!isRecord(properties)) return `${place}.properties: is no object`;
  if (!Array.isArray(required)) return `${place}.required: is no list`;
  const undefinedName = required.find((name) => !Object.hasOwn(properties, String(name)));
  if (undefinedName !== undefined && Object.keys(properties).length > 0)
    return `${place}.required: property ${undefinedName} is not defined`;
  if (values !== undefined && (!Array.isArray(values) || values.length === 0)) return `${place}.enum: cannot be empty`;
  const inner = [
    ...Object.entries(properties).map(([name, value]) => [`${place}.properties.${name}`, value] as const),
    ...(items === undefined ? [] : [[`${place}.items`, items] as const]),
    ...(Array.isArray(anyOf) ? anyOf.map((value, at) => [`${place}.any_of[${at}]`, value] as const) : []),
  ];
  for (const [where, value] of inner) {
    const error = schemaError(value, where);
    if (error !== undefined) return error;
  }
  return undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
