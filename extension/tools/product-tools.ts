import type { GenerateContentParameters, GenerateContentResponse } from '@google/genai';
import type { EditorPort, ShellPort } from '../runtime/host.ts';
import { createReadFileTool } from './read-file.ts';
import { createGlobTool } from './search/glob.ts';
import { createGrepSearchTool } from './search/grep-search.ts';
import { createListDirectoryTool } from './search/list-directory.ts';
import type { Tool } from './tool.ts';

/** What tools are made of that calls do not bring along. */
export interface ToolParts {
  /** Absolute: the folder of what ships with the product, such as ripgrep. */
  readonly assets: string;
  /** Absent where there is no editor. */
  readonly editor?: EditorPort;
  readonly shell: ShellPort;
  /** Asks the model of the session something of its own, outside the conversation. */
  readonly generate: (
    request: Omit<GenerateContentParameters, 'model'>,
    signal: AbortSignal,
  ) => Promise<GenerateContentResponse>;
}

/** What the agent can do. */
export function productTools(parts: Pick<ToolParts, 'assets'>): readonly Tool[] {
  return [createReadFileTool(), createGrepSearchTool(parts), createGlobTool(parts), createListDirectoryTool()];
}
