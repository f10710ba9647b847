import type { ToolContext } from '../../extension/ports/tool.ts';
import type { FilePort } from '../../extension/ports/workspace.ts';

/** The context of one call in a trusted workspace with these folders and no open editors. */
export function createToolContext(roots: readonly string[], changes: Partial<ToolContext> = {}): ToolContext {
  return {
    callId: 'call-1',
    signal: new AbortController().signal,
    workspace: { roots: () => roots, isTrusted: () => true },
    files: NO_OPEN_FILES,
    readableFolders: [],
    session: { mode: () => 'default', setMode: () => undefined, plansFolder: undefined },
    isNamedByUser: () => false,
    writeFile: () => Promise.reject(new Error('This tool was not to write.')),
    update: () => {},
    ...changes,
  };
}

export const NO_OPEN_FILES: FilePort = { unsavedText: () => undefined, openDocument: () => undefined };
