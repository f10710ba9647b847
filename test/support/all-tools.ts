import { CODEBASE_INVESTIGATOR, GENERALIST } from '../../extension/agents/built-in-agents.ts';
import type { Tool } from '../../extension/ports/tool.ts';
import { createCompleteTaskTool } from '../../extension/tools/conversation/complete-task.ts';
import { productTools, type ToolParts } from '../../extension/tools/product-tools.ts';
import { fakeEditor } from './fake-editor.ts';
import { toolParts } from './tool-parts.ts';

/** Every tool that the product can offer: in an editor, with skills and agents, and the one that only subagents have. */
export function allTools(changes: Partial<ToolParts> = {}): readonly Tool[] {
  const parts = toolParts({
    editor: fakeEditor(),
    agents: {
      available: () => [CODEBASE_INVESTIGATOR, GENERALIST],
      onlyReads: () => false,
      run: () => Promise.resolve({ content: 'The report.' }),
    },
    skills: {
      list: () => [],
      read: () => Promise.reject(new Error('There are no skills here.')),
      consentTo: () => undefined,
      agreed: () => Promise.resolve(),
    },
    ...changes,
  });
  return [...productTools(parts), createCompleteTaskTool()];
}
