import { z } from 'zod';
import type { Tool } from '../../../extension/ports/tool.ts';
import { allTools } from '../all-tools.ts';
import { code, table } from './reference-tables.ts';

/** The texts that the model gets for each tool, with its parameters. */
export function toolTexts(): string {
  return allTools().map(section).join('\n');
}

function section(tool: Tool): string {
  const rows = parametersOf(tool).map(({ name, isRequired, text }) => [
    code(name),
    isRequired ? 'yes' : 'no',
    plain(text ?? ''),
  ]);
  const parameters =
    rows.length === 0 ? 'It has no parameters.\n' : table(['Parameter', 'Required', 'Description'], rows);
  // The page is the same on every system.
  const description = tool.description.replace('with PowerShell', 'with bash').replaceAll('\nBad:', '  \nBad:');
  return `### ${tool.name}\n\n${plain(description)}\n\n${parameters}`;
}

export interface Parameter {
  /** With the names of its parents, such as `questions[].header`. */
  readonly name: string;
  readonly isRequired: boolean;
  readonly text: string | undefined;
}

/** The parameters of a tool, with those inside objects and lists. */
export function parametersOf({ schema, parameters }: Tool): readonly Parameter[] {
  return inside(nodeSchema.parse(parameters ?? z.toJSONSchema(schema, { io: 'input' })), '');
}

interface Node {
  readonly description?: string | undefined;
  readonly properties?: Readonly<Record<string, Node>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: Node | undefined;
}

const nodeSchema: z.ZodType<Node> = z.object({
  description: z.string().optional(),
  get properties() {
    return z.record(z.string(), nodeSchema).optional();
  },
  required: z.array(z.string()).optional(),
  get items() {
    return nodeSchema.optional();
  },
});

function inside({ properties = {}, required = [], items }: Node, path: string): readonly Parameter[] {
  const own = Object.entries(properties).flatMap(([key, node]) => {
    const name = path === '' ? key : `${path}.${key}`;
    return [{ name, isRequired: required.includes(key), text: node.description }, ...inside(node, name)];
  });
  return items === undefined ? own : [...own, ...inside(items, `${path}[]`)];
}

/** Stars and angle brackets are not meant as Markdown, except in code. */
function plain(text: string): string {
  return text
    .split(/(`[^`\n]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replace(/[*<]/g, '\\$&')))
    .join('');
}
