import { createReadFileTool } from './read-file.ts';
import type { Tool } from './tool.ts';

/** What the agent can do. */
export function productTools(): readonly Tool[] {
  return [createReadFileTool()];
}
