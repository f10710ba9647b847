import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tool } from '../../../extension/ports/tool.ts';
import { testTool } from '../conversation.ts';

/** A tool that requires approval and appends a line to a file whenever it runs. */
export function markTool(workspace: string): Tool {
  return testTool('write_file', 'edit', async () => {
    await appendFile(join(workspace, 'marks.txt'), 'ran\n');
    return { content: 'written' };
  });
}
