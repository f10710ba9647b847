import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tool } from '../../../extension/ports/tool.ts';
import { testTool } from '../conversation.ts';

/** Needs a yes, and leaves a line in a file whenever it has run. */
export function markTool(workspace: string): Tool {
  return testTool('write_file', 'edit', async () => {
    await appendFile(join(workspace, 'marks.txt'), 'ran\n');
    return { content: 'written' };
  });
}
