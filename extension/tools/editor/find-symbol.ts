import * as z from 'zod';
import { once } from '../../base/once.ts';
import type { EditorPort, EditorSymbol } from '../../ports/editor.ts';
import type { Tool, ToolContext } from '../../ports/tool.ts';
import { unverifiedPathLabel } from '../path-label.ts';
import { countText } from '../summary-words.ts';
import { listByFile } from './listing.ts';
import { asResult, type EditorAnswer } from './refused.ts';
import { requireFile } from './workspace-file.ts';

const schema = once(() =>
  z
    .strictObject({
      query: z.string().max(500).describe('Name of the symbol or a part of it. May be empty if file_path is set.'),
      file_path: z.string().min(1).optional().describe('Only symbols of this file; with an empty query, its outline.'),
    })
    .refine(({ query, file_path }) => query.trim() !== '' || file_path !== undefined, {
      path: ['query'],
      error: 'must not be empty without file_path',
    }),
);

type Arguments = z.infer<ReturnType<typeof schema>>;

export function createFindSymbolTool(editor: EditorPort): Tool<ReturnType<typeof schema>> {
  const displayName = 'FindSymbol';
  const describe: Tool['describe'] = (args, workspace) => {
    const query = typeof args['query'] === 'string' ? args['query'] : '';
    if (args['file_path'] === undefined) return query;
    return `${query || 'outline'} in ${unverifiedPathLabel(args['file_path'], workspace.roots())}`;
  };
  return {
    name: 'find_symbol',
    displayName,
    kind: 'search',
    description:
      'Finds classes, functions, variables and other symbols by name, with the place of each declaration, from the ' +
      "editor's language support. Use it before grep_search if you look for a declaration, or for the outline of a file.",
    get schema() {
      return schema();
    },
    longOutput: true,
    describe,
    touches: ({ file_path }) => (file_path === undefined ? [] : [{ path: file_path, access: 'read' }]),
    execute: (args, context) =>
      asResult({ name: displayName, description: describe(args, context.workspace) }, context.signal, () =>
        find(editor, args, context),
      ),
  };
}

async function find(editor: EditorPort, args: Arguments, context: ToolContext): Promise<EditorAnswer> {
  const file = args.file_path === undefined ? undefined : await requireFile(args.file_path, context);
  const query = args.query.trim();
  const symbols = await editor.symbols(query, file?.editorPath, context.signal);
  const entries = symbols.map((symbol) => ({ ...symbol, note: noteOf(symbol) }));
  const advice = 'Use a longer query or file_path.';
  const { text, shown } = await listByFile(entries, context, { hidden: 'name_only', advice });
  const place = file === undefined ? 'the workspace' : file.label;
  const none = `The editor knows no symbol ${query === '' ? '' : `like "${query}" `}in ${place}. Text can be found with grep_search.`;
  return { text: shown > 0 ? text : [none, text].join('\n').trim(), summary: countText(shown, 'symbol') };
}

function noteOf({ kind, name, container }: EditorSymbol): string {
  return `${kind} ${name}${container === undefined ? '' : ` in ${container}`}`;
}
