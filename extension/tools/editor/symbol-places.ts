import * as z from 'zod';
import { once } from '../../base/once.ts';
import type { EditorLocation, EditorPort } from '../../ports/editor.ts';
import type { Tool, ToolContext } from '../../ports/tool.ts';
import { unverifiedPathLabel } from '../path-label.ts';
import { countText } from '../summary-words.ts';
import { byPlace, listByFile } from './listing.ts';
import { findPosition, hasSymbolOrColumn, NEEDS_SYMBOL_OR_COLUMN, positionShape } from './position.ts';
import { asResult, type EditorAnswer } from './refused.ts';

const definitionSchema = once(() => z.strictObject(positionShape()).refine(hasSymbolOrColumn, NEEDS_SYMBOL_OR_COLUMN));

const referencesSchema = once(() =>
  z
    .strictObject({
      ...positionShape(),
      include_declaration: z.boolean().optional().describe('Also list the declaration. Default: true.'),
    })
    .refine(hasSymbolOrColumn, NEEDS_SYMBOL_OR_COLUMN),
);

export function createGoToDefinitionTool(editor: EditorPort): Tool<ReturnType<typeof definitionSchema>> {
  const displayName = 'GoToDefinition';
  return {
    name: 'go_to_definition',
    displayName,
    kind: 'search',
    description:
      "Returns where the symbol on a line is defined, from the editor's language support. Use it instead of searching for the name.",
    get schema() {
      return definitionSchema();
    },
    longOutput: true,
    describe: describePlace,
    touches: ({ file_path }) => [{ path: file_path, access: 'read' }],
    execute: (args, context) =>
      asResult({ name: displayName, description: describePlace(args, context.workspace) }, context.signal, async () => {
        const { at, name } = await findPosition(args, context);
        const found = await editor.definitions(at, context.signal);
        return list(found, 'definition', name, context);
      }),
  };
}

export function createFindReferencesTool(editor: EditorPort): Tool<ReturnType<typeof referencesSchema>> {
  const displayName = 'FindReferences';
  return {
    name: 'find_references',
    displayName,
    kind: 'search',
    description:
      "Returns every place that uses the symbol on a line, from the editor's language support. Use it before you change a " +
      'signature or remove something: unlike grep_search, it skips other symbols of the same name.',
    get schema() {
      return referencesSchema();
    },
    longOutput: true,
    describe: describePlace,
    touches: ({ file_path }) => [{ path: file_path, access: 'read' }],
    execute: (args, context) =>
      asResult({ name: displayName, description: describePlace(args, context.workspace) }, context.signal, async () => {
        const { at, name } = await findPosition(args, context);
        const found = await editor.references(at, context.signal);
        const declared = args.include_declaration === false ? await editor.definitions(at, context.signal) : [];
        const uses = found.filter((place) => !declared.some((other) => byPlace(place, other) === 0));
        return list(uses.sort(byPlace), 'reference', name, context);
      }),
  };
}

/** For example "parse in src/a.ts:12". */
export const describePlace: Tool['describe'] = (args, workspace) => {
  const label = unverifiedPathLabel(args['file_path'], workspace.roots());
  const place = typeof args['line'] === 'number' ? `${label}:${args['line']}` : label;
  return typeof args['symbol'] === 'string' ? `${args['symbol']} in ${place}` : place;
};

async function list(
  found: readonly EditorLocation[],
  what: 'definition' | 'reference',
  name: string,
  context: ToolContext,
): Promise<EditorAnswer> {
  const entries = found.map(({ path, line, column }) => ({ path, line, column }));
  const advice = 'Text can be searched folder by folder with grep_search.';
  const { text, shown } = await listByFile(entries, context, { hidden: 'name_only', advice });
  const none = `The editor knows no ${what} of "${name}" in the workspace.`;
  return { text: shown > 0 ? text : [none, text].join('\n').trim(), summary: countText(shown, what) };
}
