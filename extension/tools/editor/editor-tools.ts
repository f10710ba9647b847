import type { EditorPort } from '../../ports/editor.ts';
import type { Tool } from '../../ports/tool.ts';
import { createFindSymbolTool } from './find-symbol.ts';
import { createGetDiagnosticsTool } from './get-diagnostics.ts';
import { createGetOpenEditorsTool } from './get-open-editors.ts';
import { createRenameSymbolTool } from './rename-symbol.ts';
import { createFindReferencesTool, createGoToDefinitionTool } from './symbol-places.ts';

/** What an editor can do and a terminal cannot. Without an editor there are none of them. */
export function createEditorTools(editor: EditorPort | undefined): readonly Tool[] {
  if (editor === undefined) return [];
  return [
    createGetDiagnosticsTool(editor),
    createFindSymbolTool(editor),
    createGoToDefinitionTool(editor),
    createFindReferencesTool(editor),
    createRenameSymbolTool(editor),
    createGetOpenEditorsTool(editor),
  ];
}
