import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import type { Tool, ToolResult } from '../../ports/tool.ts';
import { oneLine } from '../../text/one-line.ts';

/** The result that a subagent must return, if it is more than a text. */
export interface TaskOutput {
  /** The name of the argument with the result. */
  readonly name: string;
  readonly description: string;
  readonly schema: z.ZodType;
}

/** Ends a subagent's work. The main agent never has this tool. */
export function createCompleteTaskTool(output?: TaskOutput): Tool {
  const name = output?.name ?? 'result';
  const text = z
    .string()
    .refine((result) => result.trim() !== '', { error: 'must not be empty' })
    .describe(
      'The complete report: what you found or did, with file paths and symbols, and what is open. Nothing else reaches the caller.',
    );
  return {
    name: 'complete_task',
    displayName: 'Complete Task',
    kind: 'communicate',
    description:
      'Hands over your report and ends your work. Call it once, alone, when the task is done or cannot be done.',
    schema: z.object({ [name]: output ? output.schema.describe(output.description) : text }),
    describe: (args) => (typeof args[name] === 'string' ? oneLine(args[name], 200) : ''),
    execute: (args) => Promise.resolve(completed(args[name])),
  };
}

function completed(result: unknown): ToolResult {
  return {
    content: 'The result was handed over. The task is complete.',
    display: { name: 'Complete Task', resultSummary: l10n.t('done'), result: null },
    data: { taskCompleted: true, result },
  };
}
