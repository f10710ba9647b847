import type { GenerateContentParameters, GenerateContentResponse } from '@google/genai';
import type { EditorPort, ShellPort } from '../runtime/host.ts';
import { createReadFileTool } from './files/read-file.ts';
import { createReadManyFilesTool } from './files/read-many-files.ts';
import { createReplaceTool } from './files/replace.ts';
import { createWriteFileTool } from './files/write-file.ts';
import type { Tool } from './tool.ts';

/** What tools are made of that calls do not bring along. */
export interface ToolParts {
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
export function productTools(parts: Pick<ToolParts, 'editor'> = {}): readonly Tool[] {
  return [createReadFileTool(), createReadManyFilesTool(), createWriteFileTool(parts), createReplaceTool(parts)];
}
