import type { Content, GenerateContentConfig, GenerateContentResponse } from '@google/genai';
import type { EditorPort } from '../runtime/host.ts';
import { createReadFileTool } from './read-file.ts';
import { createGlobTool } from './search/glob.ts';
import { createGrepSearchTool } from './search/grep-search.ts';
import { createListDirectoryTool } from './search/list-directory.ts';
import type { Tool } from './tool.ts';

/** What tools are made of that calls do not bring along. */
export interface ToolParts {
  /** Absolute: the folder with ripgrep. */
  readonly assets: string;
  /** Absent where there is no editor. */
  readonly editor?: EditorPort;
  /** Asks the model of the session something of its own, outside the conversation. */
  readonly generate: (
    request: { readonly contents: Content[]; readonly config: GenerateContentConfig },
    signal: AbortSignal,
  ) => Promise<Pick<GenerateContentResponse, 'candidates'>>;
}

/** The tools of one session. */
export type ToolsOf = (parts: ToolParts) => readonly Tool[];

/** What the agent can do. */
export function productTools({ assets }: ToolParts): readonly Tool[] {
  return [
    createReadFileTool(),
    createListDirectoryTool(),
    createGlobTool({ assets }),
    createGrepSearchTool({ assets }),
  ];
}
