import type { ToolContext } from '../../extension/tools/tool.ts';

/** The context of one call in a trusted workspace with these folders and no open editors. */
export function createToolContext(roots: readonly string[], changes: Partial<ToolContext> = {}): ToolContext {
  return {
    callId: 'call-1',
    signal: new AbortController().signal,
    workspace: { roots: () => roots, isTrusted: () => true },
    files: { unsavedText: () => undefined },
    writeFile: () => Promise.reject(new Error('This tool was not to write.')),
    update: () => {},
    ...changes,
  };
}
