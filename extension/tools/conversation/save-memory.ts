import { z } from 'zod';
import { type Tool, toolError } from '../../ports/tool.ts';
import { oneLine } from '../../text/one-line.ts';
import { type EditKind, editActions } from '../files/edit-tool.ts';
import { hasMemory, withMemory } from './memory-section.ts';

const DISPLAY_NAME = 'SaveMemory';
const MAX_FACT_CHARS = 2000;

const memorySchema = z.object({
  fact: z
    .string()
    .max(MAX_FACT_CHARS)
    .refine((fact) => oneLine(fact, MAX_FACT_CHARS) !== '', { error: 'must not be empty' })
    .describe('What to remember, as one sentence that stands for itself.'),
  scope: z
    .literal('project')
    .optional()
    .describe(
      'Only "project", which is also the default: the file with instructions of the workspace. What holds for all projects the user writes into ~/.gemini/GEMINI.md.',
    ),
});

interface Memory {
  readonly file_path: string;
  readonly fact: string;
}

const adding: EditKind<Memory> = {
  displayName: DISPLAY_NAME,
  compute: ({ fact }, { label }, before) => {
    const line = oneLine(fact, MAX_FACT_CHARS);
    if (hasMemory(before ?? '', line)) {
      return Promise.resolve({ ok: false, failed: toolError('edit_no_change', `${label} says this already.`) });
    }
    return Promise.resolve({ ok: true, after: withMemory(before ?? '', line), done: `Saved to ${label}.` });
  },
  mayRecompute: () => false,
};

/** Memory is an ordinary file that only ever changes by a diff which the user can see. */
export function createSaveMemoryTool(fileName: () => string = () => 'GEMINI.md'): Tool<typeof memorySchema> {
  const actions = editActions(adding, undefined);
  const memory = ({ fact }: { readonly fact: string }): Memory => ({ file_path: fileName(), fact });
  return {
    name: 'save_memory',
    mode: 'work',
    displayName: DISPLAY_NAME,
    kind: 'edit',
    description:
      'Adds a fact about this project to its file with instructions (GEMINI.md, if it is not called otherwise). Only when the user ' +
      'asks for it, or for a lasting fact that they stated. Nothing secret, nothing that holds only for this conversation.',
    schema: memorySchema,
    describe: ({ fact }) => (typeof fact === 'string' ? oneLine(fact, 200) : ''),
    touches: (args) => actions.touches(memory(args)),
    propose: (args, context) => actions.propose(memory(args), context),
    execute: (args, context) => actions.execute(memory(args), context),
  };
}
